import { trimWhite } from '@continuity/contract';
import { composeText } from './compose.ts';

/** NFC, then trimmed: the form in which text, kind, reason and query are checked and kept (spec 20 M9 to M11, S2). */
export function normalizeText(text: string): string {
  return trimWhite(composeText(text));
}

/** Length in UTF-8 bytes, the unit of the limit of Memory text (spec 20 M9). */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** True for text that has no UTF-8 form and therefore can be neither stored nor hashed. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

/** Orders text code point by code point, as collation "C" does. `<` would order by UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
