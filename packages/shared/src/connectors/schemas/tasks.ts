import type { Issue } from '@continuity/contract';

/** JSON text, and what issues call it. */
export interface NamedJson {
  path: string;
  json: string;
}

/** Holds values against the schemas of one definition: the first against the first, and so on. */
export interface SchemaTask {
  /** The definition's fingerprint, under which a thread keeps what it has made of the schemas. */
  fingerprint: string;
  /** Null where the thread may have them. */
  schemas: NamedJson[] | null;
  values: NamedJson[];
}

/** Null where the thread needs the schemas first. */
export type SchemaAnswer = Issue[] | null;
