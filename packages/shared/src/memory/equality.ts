import { createHash } from 'node:crypto';
import type { EntryContent } from './normalize.ts';

/**
 * Hash of kind and text for an index that finds equal entries (spec 20 M13): the first 52 bits of a SHA-256, exact in a JavaScript
 * number. Hashes can collide, so the caller must compare kind and text of a match.
 */
export function equalityHash({ kind, text }: EntryContent): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, text]), 'utf8')
    .digest('hex');
  return Number.parseInt(hash.slice(0, 13), 16);
}
