import { canonicalJson } from '../../kernel/canonical-json.ts';

export interface ProjectionKey {
  name: string;
  version: string;
}

/** A string that is equal for equal keys only. */
export function projectionId({ name, version }: ProjectionKey): string {
  return canonicalJson([name, version]);
}
