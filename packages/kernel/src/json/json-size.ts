import { maxJsonDepth } from './json-issues.ts';

const quote = 0x22;
const backslash = 0x5c;

// Classes of bytes outside of strings. Bytes of numbers, of literals and of text that is no JSON are `scalar`.
const scalar = 0;
const separator = 1;
const opening = 2;
const closing = 3;
const string = 4;
const colon = 5;

const kinds = new Uint8Array(256);
for (const byte of Buffer.from(' \t\n\r,')) kinds[byte] = separator;
for (const byte of Buffer.from('[{')) kinds[byte] = opening;
for (const byte of Buffer.from(']}')) kinds[byte] = closing;
for (const byte of Buffer.from(':')) kinds[byte] = colon;
kinds[quote] = string;

/**
 * Checks in one pass over the bytes of a JSON text that it has at most 64 levels and `maxValues` values, and so at most as many
 * keys. Returns the problem in words, or undefined. Call it before `JSON.parse`, which takes over 100 ms for some megabytes of
 * small values. It does not check the syntax.
 */
export function checkJsonSize(json: Uint8Array, maxValues: number): string | undefined {
  let depth = 0;
  let values = 0;
  let keys = 0;
  for (let index = 0; index < json.length; index += 1) {
    switch (kinds[json[index] as number]) {
      case string:
        values += 1;
        index = endOfString(json, index);
        break;
      case colon:
        // The string before it was a key.
        keys += 1;
        break;
      case opening:
        values += 1;
        depth += 1;
        if (depth > maxJsonDepth) return `is nested deeper than ${maxJsonDepth} levels`;
        break;
      case closing:
        depth -= 1;
        break;
      case scalar:
        values += 1;
        index = endOfScalar(json, index);
    }
    if (Math.max(keys, values - keys) > maxValues) return `has more than ${maxValues} JSON values`;
  }
  return undefined;
}

/** Index of the quote that ends the string; past the end where none does. */
function endOfString(json: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== quote) index += json[index] === backslash ? 2 : 1;
  return index;
}

/** Index of the last byte of a number or literal. */
function endOfScalar(json: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < json.length && kinds[json[index] as number] === scalar) index += 1;
  return index - 1;
}
