import { canonicalJson } from '@continuity/kernel/json';

export interface ProjectionKey {
  name: string;
  version: string;
}

/** Returns the key as a string for maps. */
export function projectionId({ name, version }: ProjectionKey): string {
  return canonicalJson([name, version]);
}
