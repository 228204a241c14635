/**
 * Short ids of immutable versions (spec 25 Q11): the id of an entry or Artifact, and the number of its version or revision, in
 * 22 characters of base64url. Of a UUIDv7, 122 bits vary. The number is before them: 10 bits up to number 1023, then more.
 *
 *     short id = base64url(number << 122 | the varying bits of the id)
 *
 * Each short id stands for exactly one pair, and each pair has exactly one short id.
 */

/** An id in the form of `newId`, and a number from 1. */
export interface NumberedId {
  id: string;
  number: number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const idBits = 122n;
const idCharacters = 22;

/** The largest number of a version or revision in the database. */
const maxNumber = 2 ** 31 - 1;

export function encodeShortId({ id, number }: NumberedId): string {
  return toBase64url((BigInt(number) << idBits) | (headBitsOf(id) << 62n) | tailBitsOf(id), idCharacters);
}

/** The pair that a short id stands for; undefined if it stands for none. */
export function decodeShortId(shortId: string): NumberedId | undefined {
  const value = fromBase64url(shortId);
  if (value === undefined || shortId.length < idCharacters) return undefined;
  if (shortId.length > idCharacters && shortId.startsWith('A')) return undefined;
  const number = value >> idBits;
  if (number < 1n || number > maxNumber) return undefined;
  const head = headOf((value >> 62n) & mask(60n));
  const tail = (value & mask(62n)) | (0b10n << 62n);
  return { id: head + hex(tail, 16).replace(/^.{4}/, '$&-'), number: Number(number) };
}

/** The first half of an id: its time and 12 random bits, in 10 characters. */
export function encodeIdHead(id: string): string {
  return toBase64url(headBitsOf(id), 10);
}

/** The lowest and the highest id with this first half; undefined if it is none. */
export function decodeIdHead(encoded: string): { lowest: string; highest: string } | undefined {
  const bits = encoded.length === 10 ? fromBase64url(encoded) : undefined;
  if (bits === undefined) return undefined;
  const head = headOf(bits);
  return { lowest: `${head}8000-000000000000`, highest: `${head}bfff-ffffffffffff` };
}

/** Time and `rand_a` of a UUIDv7, without its version (RFC 9562 §5.7). */
function headBitsOf(id: string): bigint {
  const digits = id.replaceAll('-', '');
  return BigInt(`0x${digits.slice(0, 12)}${digits.slice(13, 16)}`);
}

/** `rand_b` of a UUIDv7, without its variant. */
function tailBitsOf(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '').slice(16)}`) & mask(62n);
}

/** `xxxxxxxx-xxxx-7xxx-`, of 60 bits. */
function headOf(bits: bigint): string {
  const digits = hex(bits, 15);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(12)}-`;
}

function mask(bits: bigint): bigint {
  return (1n << bits) - 1n;
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function toBase64url(value: bigint, minCharacters: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest >>= 6n) text = alphabet.charAt(Number(rest & 63n)) + text;
  return text.padStart(minCharacters, 'A');
}

function fromBase64url(text: string): bigint | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = (value << 6n) | BigInt(digit);
  }
  return value;
}
