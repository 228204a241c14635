import { basename } from 'node:path';
import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type ResumePoint, type Session, toMs, toTime } from '../items.ts';
import { type Line, parseLines, readLines } from '../lines.ts';
import { goesOn, TurnTracker } from '../turn-tracker.ts';
import { headOf, type SessionFile } from './session-file.ts';

/** Messages with the role of a user that the host writes: blocks in a tag, and the instructions of the project. */
const hostText =
  /^\s*(?:<([a-zA-Z][\w -]*)>[\s\S]*<\/\1>\s*$|# AGENTS\.md instructions|# Context from my IDE setup:)/;

/** A session of Codex: a rollout file of JSON Lines. */
export async function codexSession(file: SessionFile): Promise<Session> {
  const [first] = await headOf(file.path);
  const meta = metaOf(fieldsOf(first));
  return {
    ...file,
    format: 'codex',
    start: toMs(toTime(fieldsOf(first)['timestamp']) ?? toTime(meta['timestamp'])),
    last: file.modified,
    directory: textOf(meta['cwd']) ?? null,
    scope: null,
    resumes: true,
    read: (from) => new Rollout(file, from).read(from),
  };
}

/** The facts of a session. Old versions write them without a type. */
function metaOf(record: Fields): Fields {
  return record['type'] === 'session_meta' ? fieldsOf(record['payload']) : record;
}

class Rollout {
  readonly #file: SessionFile;
  readonly #turns: TurnTracker;
  #isSubagent = false;
  #hasMeta: boolean;
  /** The turn that the host has begun and that has no prompt yet, and where its records begin. */
  #begun: { id: string; at: ResumePoint } | null = null;

  /** The turn of the last prompt. */
  #last: string | null = null;

  constructor(file: SessionFile, from: ResumePoint | null) {
    this.#file = file;
    this.#hasMeta = from !== null;
    const name = basename(file.path, '.jsonl');
    const session = from?.session ?? /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(name)?.[0] ?? name;
    this.#turns = new TurnTracker(session, from?.directory ?? null);
  }

  async *read(from: ResumePoint | null): AsyncGenerator<Item> {
    const { path, modified } = this.#file;
    let next = from ?? { byte: 0, line: 0 };
    for await (const { line, record, reason } of parseLines(readLines(path, from?.byte, from?.line))) {
      // A line that is being written is read again.
      if (line.isWhole) next = this.#pointAt(line.end, line.number);
      if (record === null) yield leftOut(reason, line.number);
      else yield* this.#readRecord(record, line);
    }
    yield* this.#turns.end(goesOn(modified), next);
  }

  #pointAt(byte: number, line: number): ResumePoint {
    return { byte, line, session: this.#turns.session, directory: this.#turns.directory };
  }

  *#readRecord(record: Fields, line: Line): Generator<Item> {
    const payload = fieldsOf(record['payload']);
    switch (record['type']) {
      case 'session_meta':
        // A fork repeats the facts of the session that it comes from.
        if (!this.#hasMeta) this.#setMeta(payload);
        return;
      case 'turn_context':
        this.#turns.directory = textOf(payload['cwd']) ?? this.#turns.directory;
        this.#begin(payload, line);
        return;
      case 'event_msg':
        if (/^(?:task|turn)_started$/.test(String(payload['type']))) this.#begin(payload, line);
        return;
      case 'compacted':
        yield leftOut('summary', line.number);
        return;
      case 'response_item':
        yield* this.#readItem(payload, toTime(record['timestamp']), line);
        return;
      default:
        if (!this.#hasMeta) this.#setMeta(record);
        else yield* this.#readItem(record, toTime(record['timestamp']), line);
    }
  }

  /** Notes a turn. Reading goes on from here, because the prompt does not repeat its id. */
  #begin({ turn_id }: Fields, { start, number }: Line): void {
    const id = textOf(turn_id);
    if (id !== undefined && id !== this.#begun?.id && id !== this.#last) {
      this.#begun = { id, at: this.#pointAt(start, number - 1) };
    }
  }

  #setMeta(meta: Fields): void {
    this.#hasMeta = true;
    this.#turns.session = textOf(meta['id']) ?? this.#turns.session;
    this.#turns.directory = textOf(meta['cwd']) ?? this.#turns.directory;
    this.#isSubagent = 'subagent' in fieldsOf(meta['source']);
  }

  *#readItem(item: Fields, time: string | null, { number, start }: Line): Generator<Item> {
    if (/_output$/.test(String(item['type']))) yield leftOut('tool_output', number);
    if (item['type'] !== 'message') return;
    if (this.#isSubagent) yield leftOut('subagent', number);
    else if (item['role'] === 'assistant') {
      const text = textsOf(item).join('\n\n');
      if (text.trim() !== '') this.#turns.answer({ text, time, line: number });
    } else if (item['role'] !== 'user') yield leftOut('synthetic', number);
    else {
      if (listOf(item['content']).some((part) => fieldsOf(part)['type'] === 'input_image'))
        yield leftOut('attachment', number);
      const typed = textsOf(item).filter((text) => !hostText.test(text));
      if (typed.join('').trim() === '') yield leftOut('synthetic', number);
      else {
        const { id, at } = this.#begun ?? { id: String(number), at: this.#pointAt(start, number - 1) };
        this.#begun = null;
        this.#last = id;
        yield* this.#turns.prompt(id, { text: typed.join('\n'), time, line: number }, at);
      }
    }
  }
}

function textsOf({ content }: Fields): string[] {
  return listOf(content).flatMap((part) => {
    const { type, text } = fieldsOf(part);
    return /^(?:input|output)_text$|^text$/.test(String(type)) ? (textOf(text) ?? []) : [];
  });
}
