import { basename } from 'node:path';
import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type ResumePoint, type Session, toMs, toTime } from '../items.ts';
import { type Line, parseLine, readLines } from '../lines.ts';
import { goesOn, TurnTracker } from '../turn-tracker.ts';
import { headOf, type SessionFile } from './session-file.ts';

/** What the host or the tools around it put into the text of a user. */
const hostBlocks = /<(system-reminder|ide_[a-z_]+|local-command-caveat)>[\s\S]*?<\/\1>\s*/g;
const hostText =
  /^(?:<(?:command-name|command-message|local-command-stdout|local-command-stderr|bash-input|bash-stdout|bash-stderr|task-notification|user-memory-input)>|Caveat: The messages below were generated|\[Request interrupted by user|This session is being continued from a previous conversation)/;
const commandName = /<command-name>\s*(\/[^<\s]+)\s*<\/command-name>/;
const commandArguments = /<command-args>([\s\S]*?)<\/command-args>/;

/** A session of Claude Code: a file of JSON Lines, which the host appends to. */
export async function claudeCodeSession(file: SessionFile): Promise<Session> {
  let directory: string | null = null;
  let start = 0;
  for (const { cwd, timestamp } of (await headOf(file.path)).map(fieldsOf)) {
    directory ??= textOf(cwd) ?? null;
    if (start === 0) start = toMs(toTime(timestamp));
    if (directory !== null && start > 0) break;
  }
  return {
    ...file,
    format: 'claude-code',
    start,
    last: file.modified,
    directory,
    scope: null,
    resumes: true,
    read: (from) => read(file, from),
  };
}

async function* read({ path, modified }: SessionFile, from: ResumePoint | null): AsyncGenerator<Item> {
  const isAgentFile = basename(path).startsWith('agent-');
  const turns = new TurnTracker(from?.session ?? basename(path, '.jsonl'), from?.directory ?? null);
  let next = from ?? { byte: 0, line: 0 };
  for await (const line of readLines(path, from?.byte, from?.line)) {
    // A line that is being written is read again.
    if (line.isWhole)
      next = { byte: line.end, line: line.number, session: turns.session, directory: turns.directory };
    yield* readLine(turns, line, isAgentFile);
  }
  yield* turns.end(goesOn(modified), next);
}

function* readLine(turns: TurnTracker, line: Line, isAgentFile: boolean): Generator<Item> {
  const { bytes, number } = line;
  if (bytes === null) yield leftOut('long_line', number);
  else if (isToolResult(bytes)) yield leftOut('tool_output', number);
  else if (bytes.length > 0) {
    const record = parseLine(line);
    if (record === undefined) yield leftOut('bad_line', number);
    else yield* readRecord(turns, fieldsOf(record), line, isAgentFile);
  }
}

/** Whether a record is the output of a tool, told from its beginning: such lines are most of a session, and are not parsed. */
function isToolResult(bytes: Buffer): boolean {
  if (bytes.length < 4_096) return false;
  const head = bytes.toString('latin1', 0, 1_024);
  return head.includes('"type":"user"') && head.includes('"type":"tool_result"');
}

function* readRecord(turns: TurnTracker, record: Fields, line: Line, isAgentFile: boolean): Generator<Item> {
  const { type } = record;
  if (type === 'summary') yield leftOut('summary', line.number);
  if (type !== 'user' && type !== 'assistant') return;
  if (isAgentFile || record['isSidechain'] === true) yield leftOut('subagent', line.number);
  else {
    turns.session = textOf(record['sessionId']) ?? turns.session;
    turns.directory = textOf(record['cwd']) ?? turns.directory;
    yield* type === 'user' ? readUser(turns, record, line) : readAssistant(turns, record, line);
  }
}

function* readUser(turns: TurnTracker, record: Fields, line: Line): Generator<Item> {
  if (record['isCompactSummary'] === true) yield leftOut('summary', line.number);
  else if (record['isMeta'] === true || isNotHuman(record)) yield leftOut('synthetic', line.number);
  else {
    const { texts, others } = contentOf(record);
    for (const kind of others)
      yield leftOut(kind === 'tool_result' ? 'tool_output' : 'attachment', line.number);
    if (texts.length > 0) yield* readPrompt(turns, record, typedText(texts.join('\n')), line);
  }
}

function* readPrompt(turns: TurnTracker, record: Fields, text: string, line: Line): Generator<Item> {
  const { session, directory } = turns;
  const id = textOf(record['promptId']) ?? textOf(record['uuid']);
  if (text === '' || id === undefined) {
    yield leftOut('synthetic', line.number);
    return;
  }
  const next = { byte: line.start, line: line.number - 1, session, directory };
  yield* turns.prompt(id, { text, time: toTime(record['timestamp']), line: line.number }, next);
}

function isNotHuman({ origin }: Fields): boolean {
  const { kind } = fieldsOf(origin);
  return kind !== undefined && kind !== 'human';
}

function* readAssistant(turns: TurnTracker, record: Fields, { number }: Line): Generator<Item> {
  const { texts } = contentOf(record);
  const text = texts.join('\n\n');
  if (text.trim() === '') return;
  if (record['isApiErrorMessage'] === true) yield leftOut('synthetic', number);
  else {
    const said = { text, time: toTime(record['timestamp']), line: number };
    turns.answer(said, textOf(fieldsOf(record['message'])['id']) ?? null);
  }
}

/** What the user typed; empty for a text of the host. */
function typedText(given: string): string {
  const text = given.replace(hostBlocks, '');
  const command = commandName.exec(text)?.[1];
  const given_arguments = commandArguments.exec(text)?.[1]?.trim() ?? '';
  if (command !== undefined) return given_arguments === '' ? '' : `${command} ${given_arguments}`;
  return hostText.test(text.trimStart()) || text.trim() === '' ? '' : text;
}

function contentOf(record: Fields): { texts: string[]; others: unknown[] } {
  const { content } = fieldsOf(record['message']);
  if (typeof content === 'string') return { texts: [content], others: [] };
  const blocks = listOf(content).map(fieldsOf);
  const isText = ({ type }: Fields) => type === 'text';
  const isSaid = ({ type }: Fields) =>
    type !== 'tool_use' && type !== 'thinking' && type !== 'redacted_thinking';
  return {
    texts: blocks.filter(isText).flatMap(({ text }) => textOf(text) ?? []),
    others: blocks.filter((block) => !isText(block) && isSaid(block)).map(({ type }) => type),
  };
}
