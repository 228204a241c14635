import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longFiles } from './test-files.ts';

/** Place of a file among the long ones; their number for any other file. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? longFiles.length : place;
}

/**
 * Order of the files of a run: the long ones first, then as Vitest has it, larger files first. By their size, many of the long ones
 * would begin among the last files, and run alone at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => placeOf(left) - placeOf(right));
  }
}
