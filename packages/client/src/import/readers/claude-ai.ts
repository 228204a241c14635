import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, toMs, toTime } from '../items.ts';
import { TurnTracker } from '../turn-tracker.ts';
import type { ChatFormat } from './chats.ts';

/** Conversations of Claude: a list of messages. */
export const claudeAi: ChatFormat = {
  format: 'claude-ai',
  timesOf: ({ created_at, updated_at }) => ({
    start: toMs(toTime(created_at)),
    last: toMs(toTime(updated_at)),
  }),
  *read(conversation) {
    const turns = new TurnTracker(textOf(conversation['uuid']) ?? 'conversation', null);
    for (const message of listOf(conversation['chat_messages'])) yield* readMessage(turns, fieldsOf(message));
    yield* turns.end(false);
  },
};

function* readMessage(turns: TurnTracker, message: Fields): Generator<Item> {
  const blocks = listOf(message['content']).map(fieldsOf);
  const texts = blocks.filter(({ type }) => type === 'text').flatMap((block) => textOf(block['text']) ?? []);
  // Old exports have the text alone.
  const text = texts.length > 0 ? texts.join('\n\n') : (textOf(message['text']) ?? '');
  const attached = [...listOf(message['attachments']), ...listOf(message['files'])];
  for (const _ of attached) yield leftOut('attachment');
  for (const { type } of blocks) if (type === 'tool_result') yield leftOut('tool_output');
  if (text.trim() === '') return;
  const said = { text, time: toTime(message['created_at']), line: null };
  const id = String(message['uuid']);
  if (message['sender'] === 'human') yield* turns.prompt(id, said);
  else if (message['sender'] === 'assistant') turns.answer(said, id);
}
