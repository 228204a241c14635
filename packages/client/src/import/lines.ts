import { createReadStream } from 'node:fs';
import { type Fields, fieldsOf } from '../local/json-values.ts';

/** Longest line or JSON element that is read, in bytes (spec 70 §3.6). */
export const maxLineBytes = 64 * 1024 * 1024;

/** One line of a file. */
export interface Line {
  /** Counted from 1. */
  number: number;
  /** Offsets of its first byte, and of the first byte behind its line feed. */
  start: number;
  end: number;
  /** Without the line feed; null for one over the limit. */
  bytes: Buffer | null;
  /** Whether a line feed ends it. */
  isWhole: boolean;
}

const feed = 0x0a;

/** Bytes of one read: several sessions are read at the same time. */
const chunkBytes = 128 * 1024;

/** The lines of a file from a byte on, where `lines` lines come before it. Holds one line in memory. */
export function readLines(path: string, from = 0, lines = 0): AsyncGenerator<Line> {
  return splitLines(createReadStream(path, { start: from, highWaterMark: chunkBytes }), from, lines);
}

/** The lines of a stream of bytes. */
export async function* splitLines(stream: AsyncIterable<Buffer>, from = 0, lines = 0): AsyncGenerator<Line> {
  let pending: Buffer[] = [];
  let length = 0;
  let start = from;
  let number = lines;
  const finish = (end: number, isWhole: boolean): Line => {
    number += 1;
    const bytes = length > maxLineBytes ? null : pending.length === 1 ? pending[0] : Buffer.concat(pending);
    const line = { number, start, end, bytes: bytes ?? null, isWhole };
    pending = [];
    length = 0;
    start = end;
    return line;
  };
  const add = (piece: Buffer) => {
    length += piece.length;
    // What is too long is counted, and not kept.
    if (length > maxLineBytes) pending = [];
    else pending.push(piece);
  };
  let offset = from;
  for await (const chunk of stream) {
    let at = 0;
    for (let next = chunk.indexOf(feed); next >= 0; next = chunk.indexOf(feed, at)) {
      add(chunk.subarray(at, next));
      at = next + 1;
      yield finish(offset + at, true);
    }
    if (at < chunk.length) add(chunk.subarray(at));
    offset += chunk.length;
  }
  if (length > 0) yield finish(offset, false);
}

/** A line with its JSON object, or why it has none. */
export type RecordLine = { line: Line } & (
  | { record: Fields; reason: null }
  | { record: null; reason: 'long_line' | 'bad_line' }
);

/** The objects of JSON Lines. Blank lines are passed over. */
export async function* parseLines(lines: AsyncIterable<Line>): AsyncGenerator<RecordLine> {
  for await (const line of lines) {
    if (line.bytes === null) yield { line, record: null, reason: 'long_line' };
    else if (line.bytes.length > 0) {
      const value = parseLine(line);
      if (value === undefined) yield { line, record: null, reason: 'bad_line' };
      else yield { line, record: fieldsOf(value), reason: null };
    }
  }
}

/** The JSON of a line; undefined for one that is not JSON. */
export function parseLine({ bytes }: Line): unknown {
  if (bytes === null) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
