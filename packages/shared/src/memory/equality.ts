import { createHash } from 'node:crypto';
import type { EntryContent } from './normalize.ts';

/**
 * Finds entries of equal kind and text (spec 20 M13) through a small index: the first 52 bits of a SHA-256, which a
 * JavaScript number holds exactly. Whether a found entry is equal is decided on kind and text themselves.
 */
export function equalityHash({ kind, text }: EntryContent): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, text]), 'utf8')
    .digest('hex');
  return Number.parseInt(hash.slice(0, 13), 16);
}
