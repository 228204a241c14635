/** The content of the files of a canonical archive, by path: a ZIP of stored files without a trailer comment (spec 40 §5.3). */
export type Archive = ReadonlyMap<string, Uint8Array>;

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const localLength = 30;

/** Reads a canonical archive. Throws for anything else, so that no file is shown that others would read differently. */
export function readArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - endLength;
  if (end < 0 || view.getUint32(end, true) !== endSignature) throw new RangeError('No ZIP archive.');
  const files = new Map<string, Uint8Array>();
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== entrySignature)
      throw new RangeError('A broken directory of the archive.');
    const [method, size, nameLength, extraLength, commentLength, local] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 20, true),
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
      view.getUint32(at + 42, true),
    ];
    if (method !== 0) throw new RangeError('A compressed file in the archive.');
    const name = new TextDecoder('utf-8', { fatal: true }).decode(
      bytes.subarray(at + entryLength, at + entryLength + nameLength),
    );
    const start = local + localLength + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + size > bytes.length) throw new RangeError('A file beyond the end of the archive.');
    files.set(name, bytes.subarray(start, start + size));
    at += entryLength + nameLength + extraLength + commentLength;
  }
  return files;
}

/** Bytes of base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Base64 of bytes. In pieces: a call takes no millions of arguments. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** SHA-256 in hex; null where the browser has none, because the page came over plain HTTP. */
export async function digestOf(bytes: Uint8Array): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The text of a file; null for bytes that are no UTF-8 text, or over 1 MiB. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.length > 1024 * 1024) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch {
    return null;
  }
}

/** The first bytes in hex, 16 a line. */
export function hexOf(bytes: Uint8Array, shown = 256): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(shown, bytes.length); at += 16)
    lines.push(
      Array.from(bytes.subarray(at, Math.min(at + 16, shown)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(' '),
    );
  return lines.join('\n');
}
