import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type Session, toMs, toTime } from '../items.ts';
import { maxLineBytes, parseLines, readLines } from '../lines.ts';
import { goesOn, TurnTracker } from '../turn-tracker.ts';
import { headOf, type SessionFile } from './session-file.ts';

const hostText = /^\s*<session_context>/;
const summaryText = /^\s*<(?:state_snapshot|compressed_history)>/;

/** A session of Gemini CLI: one JSON object, or a log of JSON Lines that changes what stands before. */
export async function geminiSession(file: SessionFile): Promise<Session> {
  const first = fieldsOf((await headOf(file.path))[0]);
  const whole =
    file.path.endsWith('.json') && file.bytes <= maxLineBytes ? await readObject(file.path) : first;
  return {
    ...file,
    format: 'gemini',
    start: toMs(toTime(whole['startTime'])),
    last: file.modified,
    directory: textOf(listOf(whole['directories'])[0]) ?? (await projectFolder(file.path)),
    scope: null,
    resumes: false,
    read: () => read(file),
  };
}

/** The folder of a project, which old sessions do not name: `.project_root`, or the registry of Gemini CLI. */
async function projectFolder(path: string): Promise<string | null> {
  const project = dirname(dirname(path));
  const root = await readFile(join(project, '.project_root'), 'utf8').catch(() => '');
  if (root.trim() !== '') return root.trim();
  const { projects } = await readObject(join(dirname(dirname(project)), 'projects.json'));
  const found = Object.entries(fieldsOf(projects)).find(([, id]) => id === basename(project));
  return found?.[0] ?? null;
}

async function readObject(path: string): Promise<Fields> {
  try {
    return fieldsOf(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return {};
  }
}

/** A session is read whole: its log can take back what stands before. */
async function* read(file: SessionFile): AsyncGenerator<Item> {
  const recording = new Recording();
  yield* file.path.endsWith('.json') ? applyObject(recording, file) : applyLog(recording, file.path);
  const folder = recording.directory ?? (await projectFolder(file.path));
  const turns = new TurnTracker(recording.session ?? basename(file.path).replace(/\.jsonl?$/, ''), folder);
  for (const message of recording.messages.values()) yield* readMessage(turns, message, recording.isSubagent);
  yield* turns.end(goesOn(file.modified));
}

async function* applyObject(recording: Recording, { path, bytes }: SessionFile): AsyncGenerator<Item> {
  if (bytes > maxLineBytes) yield leftOut('long_line');
  else {
    const session = await readObject(path);
    if (Object.keys(session).length === 0) yield leftOut('bad_line');
    else recording.apply(session);
  }
}

async function* applyLog(recording: Recording, path: string): AsyncGenerator<Item> {
  for await (const { line, record, reason } of parseLines(readLines(path))) {
    if (record === null) yield leftOut(reason, line.number);
    else recording.apply(record);
  }
}

/** Replays a recording. */
class Recording {
  readonly messages = new Map<string, Fields>();
  session: string | undefined;
  directory: string | undefined;
  isSubagent = false;

  apply(record: Fields): void {
    const target = record['$rewindTo'];
    if (typeof target === 'string') this.#rewind(target);
    else if (typeof record['id'] === 'string' && record['type'] !== undefined)
      this.messages.set(record['id'], record);
    else this.#set(record['$set'] === undefined ? record : fieldsOf(record['$set']));
  }

  /** Takes back a message and all after it; all of them for an unknown one, as the host does. */
  #rewind(target: string): void {
    const ids = [...this.messages.keys()];
    for (const id of ids.slice(Math.max(0, ids.indexOf(target)))) this.messages.delete(id);
  }

  /** The host replaces its messages by fewer when it compresses them; what was said stays said. */
  #set(fields: Fields): void {
    this.session = textOf(fields['sessionId']) ?? this.session;
    this.directory = textOf(listOf(fields['directories'])[0]) ?? this.directory;
    if (fields['kind'] === 'subagent') this.isSubagent = true;
    for (const message of listOf(fields['messages']).map(fieldsOf)) {
      if (typeof message['id'] === 'string') this.messages.set(message['id'], message);
    }
  }
}

function* readMessage(turns: TurnTracker, message: Fields, isSubagent: boolean): Generator<Item> {
  for (const _ of listOf(message['toolCalls'])) yield leftOut('tool_output');
  const { type } = message;
  if (type !== 'user' && type !== 'gemini') return;
  if (isSubagent) yield leftOut('subagent');
  else if (type === 'user') yield* readPrompt(turns, message);
  else readAnswer(turns, message);
}

function readAnswer(turns: TurnTracker, message: Fields): void {
  const { text } = contentOf(message['content']);
  if (text.trim() !== '') turns.answer({ text, time: toTime(message['timestamp']), line: null });
}

function* readPrompt(turns: TurnTracker, message: Fields): Generator<Item> {
  const { text, hasOthers } = contentOf(message['content']);
  if (hasOthers) yield leftOut('attachment');
  if (summaryText.test(text)) yield leftOut('summary');
  else if (hostText.test(text)) yield leftOut('synthetic');
  else if (text.trim() !== '') {
    yield* turns.prompt(String(message['id']), { text, time: toTime(message['timestamp']), line: null });
  }
}

/** Text of a message: a string, or parts. Parts of tools are none. */
function contentOf(content: unknown): { text: string; hasOthers: boolean } {
  if (typeof content === 'string') return { text: content, hasOthers: false };
  const parts = (Array.isArray(content) ? content : [content]).map((part) =>
    typeof part === 'string' ? { text: part } : fieldsOf(part),
  );
  const texts = parts.flatMap((part) => textOf(part['text']) ?? []);
  return {
    text: texts.join('\n'),
    hasOthers: parts.some((part) => 'inlineData' in part || 'fileData' in part),
  };
}
