import type { Issue } from '@continuity/contract';

/** JSON text, and the path by which issues name it. */
export interface NamedJson {
  path: string;
  json: string;
}

/** Validates values against the schemas of one definition: the first value against the first schema, and so on. */
export interface ValidationTask {
  /** Fingerprint of the definition, the key under which a thread caches its compiled schemas. */
  fingerprint: string;
  schemas: NamedJson[];
  /** Empty where only the schemas are validated. */
  values: NamedJson[];
}

export type ValidationResult = Issue[];
