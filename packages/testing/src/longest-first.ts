import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Takes minutes, and its file is small. */
const longest = /\/bench\/tests\/quick\.slow\.test\.ts$/;

/**
 * Order of the files of a run: as Vitest has it, larger files first, but the longest one before all. It would begin among the last
 * ones, and run alone at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (left, right) => Number(longest.test(right.moduleId)) - Number(longest.test(left.moduleId)),
    );
  }
}
