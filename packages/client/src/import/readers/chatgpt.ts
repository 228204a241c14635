import { type Fields, fieldsOf, listOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, toMs, toTime } from '../items.ts';
import { TurnTracker } from '../turn-tracker.ts';
import type { ChatFormat } from './chats.ts';

/** Conversations of ChatGPT: a tree of messages, of which the branch of `current_node` is what the user sees. */
export const chatgpt: ChatFormat = {
  format: 'chatgpt',
  timesOf: ({ create_time, update_time }) => ({
    start: toMs(toTime(create_time)),
    last: toMs(toTime(update_time)),
  }),
  *read(conversation) {
    const id = textOf(conversation['conversation_id']) ?? textOf(conversation['id']) ?? 'conversation';
    const turns = new TurnTracker(id, null);
    for (const message of branchOf(conversation)) yield* readMessage(turns, message);
    yield* turns.end(false);
  },
};

/** The messages from the root to the current node. */
function branchOf(conversation: Fields): Fields[] {
  const mapping = fieldsOf(conversation['mapping']);
  const branch: Fields[] = [];
  const seen = new Set<string>();
  for (let id = textOf(conversation['current_node']); id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const node = fieldsOf(mapping[id]);
    const message = fieldsOf(node['message']);
    if (message['id'] !== undefined) branch.push(message);
    id = textOf(node['parent']);
  }
  return branch.reverse();
}

function* readMessage(turns: TurnTracker, message: Fields): Generator<Item> {
  const { role } = fieldsOf(message['author']);
  const { text, attachments } = contentOf(fieldsOf(message['content']));
  for (const _ of attachments) yield leftOut('attachment');
  if (role === 'tool') yield leftOut('tool_output');
  if (role !== 'user' && role !== 'assistant') return;
  if (text.trim() === '') return;
  const isHidden = fieldsOf(message['metadata'])['is_visually_hidden_from_conversation'] === true;
  const recipient = textOf(message['recipient']) ?? 'all';
  if (isHidden || recipient !== 'all') yield leftOut('synthetic');
  else {
    const said = { text, time: toTime(message['create_time']), line: null };
    if (role === 'user') yield* turns.prompt(String(message['id']), said);
    else turns.answer(said, String(message['id']));
  }
}

function contentOf(content: Fields): { text: string; attachments: unknown[] } {
  const type = content['content_type'];
  if (type !== 'text' && type !== 'multimodal_text') return { text: '', attachments: [] };
  const parts = listOf(content['parts']);
  return {
    text: parts.flatMap((part) => textOf(part) ?? textOf(fieldsOf(part)['text']) ?? []).join('\n'),
    attachments: parts.filter(
      (part) => typeof part === 'object' && textOf(fieldsOf(part)['text']) === undefined,
    ),
  };
}
