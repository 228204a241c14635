import { maxLineBytes } from './lines.ts';

/** An element of a JSON array in a stream, with its bytes in the stream. */
export interface JsonElement {
  start: number;
  end: number;
  /** Null for one over the limit. */
  bytes: Buffer | null;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);
const openArray = 0x5b;

/**
 * Splits the first array of a JSON text into its elements by scanning bytes, so that a file of any size needs the memory of one
 * element. The array is the text itself, or a value of the object that the text is: with `names`, of one of these fields.
 */
export async function* splitElements(
  stream: AsyncIterable<Buffer>,
  names: readonly string[] | null = null,
): AsyncGenerator<JsonElement> {
  const scanner = new ElementScanner(names);
  for await (const chunk of stream) {
    yield* scanner.scan(chunk);
    if (scanner.isDone) return;
  }
}

class ElementScanner {
  isDone = false;
  readonly #names: readonly string[] | null;
  #offset = 0;
  #depth = 0;
  /** Depth of the elements; 0 until the array is found. */
  #arrayDepth = 0;
  #inString = false;
  #escaped = false;
  /** Bytes of the string that is read outside of the array, to know the field. */
  #string: number[] = [];
  #field = '';
  #start = -1;
  /** Where the element begins in this chunk. */
  #pieceStart = 0;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(names: readonly string[] | null) {
    this.#names = names;
  }

  *scan(chunk: Buffer): Generator<JsonElement> {
    this.#pieceStart = 0;
    for (let at = 0; at < chunk.length && !this.isDone; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inString) at = this.#skipString(chunk, at);
      else if (byte > 0x20) {
        if (this.#endsElement(byte)) yield* this.#end(chunk, at, byte);
        else this.#read(byte, at);
      }
    }
    if (this.#start >= 0) this.#keep(chunk.subarray(this.#pieceStart));
    this.#offset += chunk.length;
  }

  /** Whether a byte outside of strings ends an element, or the array. */
  #endsElement(byte: number): boolean {
    return this.#arrayDepth > 0 && this.#depth === this.#arrayDepth && (byte === comma || closers.has(byte));
  }

  *#end(chunk: Buffer, at: number, byte: number): Generator<JsonElement> {
    if (this.#start >= 0) yield this.#finish(chunk.subarray(this.#pieceStart, at), this.#offset + at);
    if (byte !== comma) this.isDone = true;
  }

  #read(byte: number, at: number): void {
    if (this.#arrayDepth > 0 && this.#start < 0) {
      this.#start = this.#offset + at;
      this.#pieceStart = at;
    }
    if (byte === quote) {
      this.#inString = true;
      this.#string = [];
    } else if (openers.has(byte)) this.#open(byte);
    else if (closers.has(byte)) this.#depth -= 1;
  }

  /** Returns the index of the last byte of the string in this chunk. */
  #skipString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#inString = false;
        if (this.#arrayDepth === 0) this.#field = Buffer.from(this.#string).toString('utf8');
        return at;
      }
      if (this.#arrayDepth === 0 && this.#string.length < 256) this.#string.push(byte);
    }
    return chunk.length;
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#arrayDepth > 0 || byte !== openArray) return;
    const isField = this.#depth === 2 && (this.#names === null || this.#names.includes(this.#field));
    if (this.#depth === 1 || isField) this.#arrayDepth = this.#depth;
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > maxLineBytes) this.#pieces = [];
    else this.#pieces.push(Buffer.from(piece));
  }

  #finish(piece: Buffer, end: number): JsonElement {
    this.#keep(piece);
    const bytes = this.#length > maxLineBytes ? null : Buffer.concat(this.#pieces);
    const element = { start: this.#start, end, bytes };
    this.#start = -1;
    this.#pieces = [];
    this.#length = 0;
    return element;
  }
}
