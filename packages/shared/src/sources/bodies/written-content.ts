import { invalidRequest } from '@continuity/kernel/errors';
import {
  canonicalJson,
  canonicalJsonWithin,
  hashHex,
  type JsonValue,
  tooManyBytes,
} from '@continuity/kernel/json';

/** Limit of JSON content, in bytes of canonical JSON (spec 10 §8, spec 30 §2.2.1). */
export const maxContentBytes = 1_048_576;

/** Content in the form in which a Source stores it. */
export interface WrittenContent {
  /** Canonical JSON. */
  canonical: string;
  /** SHA-256 of it, as 64 hex digits. */
  digest: string;
}

/** Converts content to its stored form. */
export function writeContent(content: JsonValue): WrittenContent {
  return toWritten(canonicalJson(content));
}

/** As `writeContent`. Throws 422 for content over `maxContentBytes`; `path` is its field in the request. */
export function writeContentWithin(content: JsonValue, path: string): WrittenContent {
  const canonical = canonicalJsonWithin(content, maxContentBytes);
  if (canonical === undefined) throw invalidRequest([tooManyBytes(path, maxContentBytes)]);
  return toWritten(canonical);
}

function toWritten(canonical: string): WrittenContent {
  return { canonical, digest: hashHex(canonical) };
}
