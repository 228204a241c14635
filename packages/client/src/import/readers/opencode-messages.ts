import { type Fields, fieldsOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type Session, toTime } from '../items.ts';
import { goesOn, TurnTracker } from '../turn-tracker.ts';
import type { SessionFile } from './session-file.ts';

/** A session as either store has it. */
export interface StoredSession {
  id: string;
  isSubagent: boolean;
  directory: string | null;
  created: number;
  updated: number;
}

/** A message with its parts. */
export type Message = Fields & { role?: unknown; parts: Fields[] };

/** The facts of a session from its row. */
export function toStored(row: Fields): StoredSession {
  return {
    id: String(row['id']),
    isSubagent: row['parent_id'] !== null && row['parent_id'] !== undefined,
    directory: textOf(row['directory']) ?? null,
    created: Number(row['time_created']) || 0,
    updated: Number(row['time_updated']) || 0,
  };
}

/** A session whose messages `readMessages` reads. */
export function toSession(
  file: SessionFile,
  { id, isSubagent, directory, created, updated }: StoredSession,
  sessions: number,
  readMessages: () => Message[] | Promise<Message[]>,
): Session {
  return {
    format: 'opencode',
    path: file.path,
    bytes: Math.ceil(file.bytes / sessions),
    start: created,
    last: updated,
    directory,
    scope: null,
    resumes: false,
    read: async function* () {
      const turns = new TurnTracker(id, directory);
      for (const message of await readMessages()) yield* readMessage(turns, message, isSubagent);
      yield* turns.end(goesOn(updated));
    },
  };
}

function* readMessage(turns: TurnTracker, message: Message, isSubagent: boolean): Generator<Item> {
  const texts = message.parts.filter(({ type, ignored }) => type === 'text' && ignored !== true);
  const own = texts.filter(({ synthetic }) => synthetic !== true);
  yield* leftOutParts(message);
  for (const _ of texts.slice(own.length)) yield leftOut('synthetic');
  const text = own.flatMap((part) => textOf(part['text']) ?? []).join('\n');
  if (text.trim() === '') return;
  if (isSubagent) yield leftOut('subagent');
  else if (message['summary'] === true) yield leftOut('summary');
  else yield* readText(turns, message, text);
}

function* readText(turns: TurnTracker, message: Message, text: string): Generator<Item> {
  const { created, completed } = fieldsOf(message['time']);
  const said = { text, time: toTime(completed ?? created), line: null };
  if (message['role'] === 'user') yield* turns.prompt(String(message['id']), said);
  else turns.answer(said, String(message['id']));
}

function* leftOutParts({ role, parts }: Message): Generator<Item> {
  for (const { type } of parts) {
    if (type === 'tool') yield leftOut('tool_output');
    if (type === 'file' && role === 'user') yield leftOut('attachment');
    if (type === 'compaction') yield leftOut('summary');
  }
}
