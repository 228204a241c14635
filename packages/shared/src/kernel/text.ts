import { trimWhite } from '@continuity/contract/text';
import { toNfc } from './nfc.ts';

/** NFC without white space at both ends: the form of text, kind, reason and query (spec 20 M9 to M11, S2). */
export function normalizeText(text: string): string {
  return trimWhite(toNfc(text));
}

/** Length in UTF-8 bytes, the unit of the limit of Memory text (spec 20 M9). */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Compares by code points, like collation "C"; `<` compares by UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
