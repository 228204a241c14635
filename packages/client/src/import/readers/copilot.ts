import { basename, dirname } from 'node:path';
import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type ResumePoint, type Session, toMs, toTime } from '../items.ts';
import { type Line, parseLines, readLines } from '../lines.ts';
import { goesOn, TurnTracker } from '../turn-tracker.ts';
import { headOf, type SessionFile } from './session-file.ts';

/** A session of Copilot CLI: a log of events as JSON Lines. */
export async function copilotSession(file: SessionFile): Promise<Session> {
  const events = (await headOf(file.path)).map(fieldsOf);
  const begin = fieldsOf(events.find(({ type }) => type === 'session.start')?.['data']);
  return {
    ...file,
    format: 'copilot',
    start: toMs(toTime(events[0]?.['timestamp'])),
    last: file.modified,
    directory: textOf(fieldsOf(begin['context'])['cwd']) ?? null,
    scope: null,
    resumes: true,
    read: (from) => read(file, from),
  };
}

async function* read({ path, modified }: SessionFile, from: ResumePoint | null): AsyncGenerator<Item> {
  const named = basename(path) === 'events.jsonl' ? basename(dirname(path)) : basename(path, '.jsonl');
  const turns = new TurnTracker(from?.session ?? named, from?.directory ?? null);
  let next = from ?? { byte: 0, line: 0 };
  for await (const { line, record, reason } of parseLines(readLines(path, from?.byte, from?.line))) {
    // A line that is being written is read again.
    if (line.isWhole)
      next = { byte: line.end, line: line.number, session: turns.session, directory: turns.directory };
    if (record === null) yield leftOut(reason, line.number);
    else yield* readEvent(turns, record, line);
  }
  yield* turns.end(goesOn(modified), next);
}

function* readEvent(turns: TurnTracker, event: Fields, line: Line): Generator<Item> {
  const data = fieldsOf(event['data']);
  switch (event['type']) {
    case 'session.start':
    case 'session.resume':
    case 'session.context_changed':
      turns.session = textOf(data['sessionId']) ?? turns.session;
      turns.directory = textOf(fieldsOf(data['context'])['cwd']) ?? textOf(data['cwd']) ?? turns.directory;
      return;
    case 'tool.execution_complete':
      yield leftOut('tool_output', line.number);
      return;
    case 'session.compaction_complete':
      yield leftOut('summary', line.number);
      return;
    case 'assistant.message':
    case 'user.message':
      yield* readMessage(turns, event, data, line);
  }
}

function* readMessage(turns: TurnTracker, event: Fields, data: Fields, line: Line): Generator<Item> {
  const said = { text: textOf(data['content']) ?? '', time: toTime(event['timestamp']), line: line.number };
  const isBlank = said.text.trim() === '';
  if (event['type'] === 'assistant.message') {
    if (data['parentToolCallId'] !== undefined) yield leftOut('subagent', line.number);
    else if (!isBlank) turns.answer(said, textOf(data['messageId']) ?? null);
    return;
  }
  for (const _ of listOf(data['attachments'])) yield leftOut('attachment', line.number);
  if (!isTyped(data) || isBlank) yield leftOut('synthetic', line.number);
  else {
    const { session, directory } = turns;
    const next = { byte: line.start, line: line.number - 1, session, directory };
    yield* turns.prompt(textOf(event['id']) ?? String(line.number), said, next);
  }
}

/** Whether a person typed a prompt: skills and the system send some too. */
function isTyped({ source }: Fields): boolean {
  return source === undefined || source === null || source === 'user';
}
