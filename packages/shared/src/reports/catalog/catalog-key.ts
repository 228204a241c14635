import type { Issue } from '@continuity/contract';
import { codePointLength } from '@continuity/contract/text';
import { toNfc } from '@continuity/kernel/text';

/** Limit of a key in code points, as sent and in NFC. */
const maxKeyLength = 64;

/** A key as it is compared: in NFC, case-sensitively (spec 30 §5.3.1). */
export function normalizeKey(key: string): string {
  return toNfc(key);
}

/** The issue of a key that is too long in NFC. */
export function findKeyIssues(path: string, key: string | null): Issue[] {
  if (key === null || codePointLength(normalizeKey(key)) <= maxKeyLength) return [];
  return [{ path, message: `must have at most ${maxKeyLength} characters in Unicode NFC` }];
}
