import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { isObject } from '../../local/json-values.ts';
import type { Payload } from './event.ts';

/** What is read of the end of a transcript, in bytes. */
const tailBytes = 8 * 1024 * 1024;

interface LastTurn {
  /** Id of the user's message. */
  turn: string;
  prompt: string;
  /** The agent's last message with text; empty without one. */
  answer: string;
}

/** The last turn of a transcript of Gemini CLI or Copilot CLI; undefined where it cannot be read or has none. */
export function lastTurn(path: unknown): LastTurn | undefined {
  let last: LastTurn | undefined;
  for (const record of typeof path === 'string' ? readRecords(path) : []) {
    const { id, type, content, data } = record;
    const said = textOfContent(content ?? (data as Payload | undefined)?.['content']);
    if (said.trim() === '') continue;
    if ((type === 'user' || type === 'user.message') && typeof id === 'string' && isTyped(record))
      last = { turn: id, prompt: said, answer: '' };
    else if ((type === 'gemini' || type === 'assistant.message') && last && !isOfSubagent(record))
      last.answer = said;
  }
  return last;
}

/** Limit of the wait for an answer, and the pause between two looks at the transcript, in milliseconds. */
const waitMs = 300;
const pauseMs = 25;

interface Waiting {
  /** Blocks for so many milliseconds. */
  pause(ms: number): void;
  now(): number;
}

/** A hook has nothing else to do, and the functions that wait for the transcript are synchronous. */
const realTime: Waiting = {
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  now: () => performance.now(),
};

/**
 * As `lastTurn`. Waits up to 0.3 s for the answer, because a host can write it after it has started the hook. Meanwhile it reads the
 * transcript only if it has grown: a turn can end without an answer.
 */
export function lastAnsweredTurn(path: unknown, { pause, now } = realTime): LastTurn | undefined {
  if (typeof path !== 'string') return undefined;
  const end = now() + waitMs;
  let size = sizeOf(path);
  let turn = lastTurn(path);
  while (!turn?.answer && now() < end) {
    pause(pauseMs);
    const grown = sizeOf(path);
    if (grown === size) continue;
    size = grown;
    turn = lastTurn(path);
  }
  return turn;
}

/** The size of a file in bytes; 0 where it cannot be read. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether a person typed it: skills and the host send some messages too. */
function isTyped({ data, content }: Payload): boolean {
  const { source } = (data ?? {}) as Payload;
  const isHostText = /^\s*<(?:session_context|state_snapshot|compressed_history)>/.test(
    textOfContent(content),
  );
  return (source === undefined || source === null || source === 'user') && !isHostText;
}

function isOfSubagent({ data }: Payload): boolean {
  return (data as Payload | undefined)?.['parentToolCallId'] !== undefined;
}

/** The records of a transcript: one JSON object with messages, or JSON Lines. */
function readRecords(path: string): Payload[] {
  let tail: { text: string; isWhole: boolean };
  try {
    tail = readTail(path);
  } catch {
    return [];
  }
  if (tail.isWhole) {
    const whole = parse(tail.text);
    if (Array.isArray(whole?.['messages'])) return whole['messages'].filter(isObject);
  }
  return tail.text.split('\n').flatMap((line): Payload[] => {
    const record = parse(line);
    const set = record?.['$set'] as Payload | undefined;
    if (Array.isArray(set?.['messages'])) return set['messages'].filter(isObject);
    return record === undefined ? [] : [record];
  });
}

function readTail(path: string): { text: string; isWhole: boolean } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, tailBytes);
    const buffer = Buffer.alloc(length);
    readSync(file, buffer, 0, length, size - length);
    return { text: buffer.toString(), isWhole: length === size };
  } finally {
    closeSync(file);
  }
}

function parse(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Text of a message: a string, or parts. */
function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .flatMap((part) => (typeof part === 'string' ? part : ((part as Payload | null)?.['text'] ?? [])))
    .filter((text) => typeof text === 'string')
    .join('\n');
}
