import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { TextDecoder } from 'node:util';
import { isObject } from '../local/json-values.ts';
import { UsageError } from './errors.ts';

/** Byte order marks of encodings, longest first: that of UTF-32LE begins with that of UTF-16LE. */
const marks: { bytes: number[]; encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32' }[] = [
  { bytes: [0xff, 0xfe, 0, 0], encoding: 'utf-32' },
  { bytes: [0, 0, 0xfe, 0xff], encoding: 'utf-32' },
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

const replacement = '\ufffd';

/**
 * Decodes UTF-8, and UTF-16 with a byte order mark, which is no part of the text. Throws `UsageError` with the offset of the first other
 * byte, so that nothing is stored as replacement characters. `origin` names the input in the message.
 */
export function decodeText(bytes: Uint8Array, origin: string): string {
  const mark = marks.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  const encoding = mark?.encoding ?? 'utf-8';
  if (encoding === 'utf-32') throw new UsageError(`${origin} is UTF-32 text. Convert it to UTF-8.`);
  const content = bytes.subarray(mark?.bytes.length ?? 0);
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    const offset = (mark?.bytes.length ?? 0) + findInvalidByte(content, encoding);
    const byte = bytes[offset];
    const found = byte === undefined ? 'it ends within a character' : `byte 0x${toHex(byte)}`;
    const name = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    throw new UsageError(
      `${origin} is not ${name} text: ${found} at offset ${offset}. Convert it, for example with: iconv -f latin1 -t utf-8`,
    );
  }
}

/** Offset of the first byte that cannot be decoded: of the first replacement character that is not in the input itself. */
function findInvalidByte(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): number {
  const decoded = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const sizeOf = (text: string) => (encoding === 'utf-8' ? Buffer.byteLength(text) : text.length * 2);
  let offset = 0;
  let from = 0;
  for (;;) {
    const index = decoded.indexOf(replacement, from);
    if (index === -1) return bytes.length;
    offset += sizeOf(decoded.slice(from, index));
    const own = bytes.subarray(offset, offset + sizeOf(replacement));
    if (!isReplacement(own, encoding)) return offset;
    offset += own.length;
    from = index + 1;
  }
}

/** Whether bytes are the replacement character itself, and not decoded as one. */
function isReplacement(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): boolean {
  const exact = { 'utf-8': [0xef, 0xbf, 0xbd], 'utf-16le': [0xfd, 0xff], 'utf-16be': [0xff, 0xfd] }[encoding];
  return exact.every((byte, index) => bytes[index] === byte);
}

const toHex = (byte: number) => byte.toString(16).padStart(2, '0').toUpperCase();

/**
 * Throws `UsageError` for an argument or setting that was not UTF-8: Node has decoded it, and put replacement characters in place of the
 * bytes.
 */
export function requireDecoded(text: string, origin: string): string {
  const index = text.indexOf(replacement);
  if (index === -1) return text;
  const offset = Buffer.byteLength(text.slice(0, index));
  throw new UsageError(
    `${origin} is not UTF-8 text, at offset ${offset}. Convert it, or pass a text that holds U+FFFD on standard input.`,
  );
}

/** The text of a file, or of standard input for `-`. Throws `UsageError` for a file that cannot be read, and as `decodeText` does. */
export async function readInput(path: string): Promise<string> {
  if (path === '-') return decodeText(await buffer(process.stdin), 'Standard input');
  return decodeText(await readBytes(path), path);
}

/** The bytes of a file. Throws `UsageError` for a file that cannot be read. */
export async function readBytes(path: string): Promise<Buffer> {
  return await readFile(path).catch((error: Error) => {
    throw new UsageError(`Cannot read ${path}: ${error.message}`);
  });
}

/** A text argument; `-` stands for standard input. */
export async function readText(argument: string): Promise<string> {
  return argument === '-' ? await readInput('-') : argument;
}

/** A JSON object from a file or standard input. */
export async function readJsonInput(path: string): Promise<Record<string, unknown>> {
  const content = await readInput(path);
  const origin = path === '-' ? 'Standard input' : path;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${origin} is no JSON object: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${origin} is no JSON object.`);
}
