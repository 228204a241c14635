import { readFile } from 'node:fs/promises';
import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type Session, toTime } from '../items.ts';
import { maxLineBytes } from '../lines.ts';
import { paragraphsOf } from '../paragraphs.ts';
import { TurnTracker } from '../turn-tracker.ts';
import type { SessionFile } from './session-file.ts';

/** Longest entry of Memory, in bytes. */
const maxEntryBytes = 8_192;

/** An agent file of Letta: agents with their blocks and messages. Older files have one agent at the top. */
export function lettaSession(file: SessionFile): Session {
  return {
    ...file,
    format: 'letta',
    start: 0,
    last: file.modified,
    directory: null,
    scope: 'letta:agent',
    resumes: false,
    read: () => read(file),
  };
}

async function* read({ path, bytes }: SessionFile): AsyncGenerator<Item> {
  if (bytes > maxLineBytes) {
    yield leftOut('long_line');
    return;
  }
  let file: Fields;
  try {
    file = fieldsOf(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    yield leftOut('bad_line');
    return;
  }
  const blocks = new Map(listOf(file['blocks']).map((block) => [fieldsOf(block)['id'], fieldsOf(block)]));
  const agents = Array.isArray(file['agents']) ? listOf(file['agents']).map(fieldsOf) : [file];
  for (const agent of agents) {
    const named = listOf(agent['block_ids']).flatMap((id): Fields[] => {
      const block = blocks.get(id);
      return block === undefined ? [] : [block];
    });
    const own = [...listOf(agent['core_memory']), ...listOf(agent['memory_blocks'])].map(fieldsOf);
    yield* readAgent(agent, [...named, ...own]);
  }
}

function* readAgent(agent: Fields, blocks: Fields[]): Generator<Item> {
  const name = textOf(agent['name']) ?? 'agent';
  const scope = `letta:${name}`;
  for (const block of blocks) {
    const label = textOf(block['label']) ?? textOf(block['id']) ?? 'block';
    for (const [index, text] of paragraphsOf(textOf(block['value']) ?? '', maxEntryBytes).entries()) {
      const id = `letta/${name}/${label}/${index + 1}`;
      yield { type: 'fact', id, text, kind: 'fact', record: { ...block, value: text }, scope, line: null };
    }
  }
  const turns = new TurnTracker(textOf(agent['id']) ?? name, null);
  const messages = listOf(agent['messages']).map(fieldsOf);
  for (const [index, message] of messages.entries()) {
    yield* readMessage(turns, message, textOf(message['id']) ?? String(index + 1));
  }
  yield* turns.end(false);
}

function* readMessage(turns: TurnTracker, message: Fields, id: string): Generator<Item> {
  const { role } = message;
  const time = toTime(message['created_at']);
  if (role === 'tool') yield leftOut('tool_output');
  if (role === 'system') yield leftOut('synthetic');
  const text = contentText(message['content']);
  if (role === 'user') {
    const typed = typedText(text);
    if (typed === undefined) yield leftOut('synthetic');
    else if (typed.trim() !== '') yield* turns.prompt(id, { text: typed, time, line: null });
  } else if (role === 'assistant') {
    const sent = listOf(message['tool_calls']).flatMap(sentText);
    const said = sent.length > 0 ? sent.join('\n') : text;
    if (said.trim() !== '') turns.answer({ text: said, time, line: null }, id);
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(fieldsOf)
    .flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : []))
    .join('\n');
}

/** What a person wrote: Letta wraps messages as JSON, and so it does with events of its own, for which this is undefined. */
function typedText(text: string): string | undefined {
  if (!text.startsWith('{')) return text;
  try {
    const { type, message } = fieldsOf(JSON.parse(text));
    if (type === undefined) return text;
    return type === 'user_message' ? (textOf(message) ?? '') : undefined;
  } catch {
    return text;
  }
}

/** The text of a call of `send_message`. */
function sentText(call: unknown): string[] {
  const { name, arguments: given } = fieldsOf(fieldsOf(call)['function']);
  if (name !== 'send_message') return [];
  try {
    return [textOf(fieldsOf(JSON.parse(String(given)))['message']) ?? ''];
  } catch {
    return [];
  }
}
