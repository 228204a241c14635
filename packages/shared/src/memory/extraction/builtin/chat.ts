import { isJsonObject, type JsonObject, type JsonValue } from '@continuity/kernel/json';

/** A text of a Source, with the name of who said it where the Source is a chat. */
export interface SourceText {
  text: string;
  speaker: string | null;
}

/** Keys of a message, as hosts and exports name them. */
const authorKeys = [
  'role',
  'speaker',
  'author',
  'from',
  'sender',
  'user_profile',
  'user',
  'username',
  'type',
] as const;
const textKeys = ['content', 'text', 'message', 'value', 'parts', 'body'] as const;

/** Keys under which a chat has its messages. */
const listKeys = [
  'messages',
  'conversation',
  'conversations',
  'chat',
  'turns',
  'history',
  'dialog',
  'dialogue',
  'items',
];

/** Authors whose messages are data or instructions of a host, and not statements of the talk. */
const notSpoken =
  /^(?:system|developer|tool|function|tool_(?:use|call|result)|summary|progress|file-history-snapshot)$/i;

/** Kinds of records that say who joined, left or renamed a channel. */
const notSaid = /^(?:channel|group|bot|reminder|pinned)_(?!message)/i;

/** Depth of the content of a message that is read: text, parts, a part, its text. */
const maxDepth = 4;

/** The messages of a JSON chat: a list of messages, or an object with one; null for any other JSON. */
export function readChat(value: JsonValue): SourceText[] | null {
  const messages = messagesOf(value);
  if (messages === null || messages.length === 0) return null;
  return messages.every(isMessage) ? messages.flatMap(textsOfMessage) : null;
}

function messagesOf(value: JsonValue): JsonObject[] | null {
  if (Array.isArray(value)) return value.every(isJsonObject) ? value : null;
  if (!isJsonObject(value)) return null;
  for (const key of listKeys) {
    const list = value[key];
    if (Array.isArray(list) && list.every(isJsonObject)) return list;
  }
  return isMessage(value) ? [value] : null;
}

/**
 * The messages of a text that is a JSON chat, or JSON Lines with messages among other records. Lines that are no JSON stay text. Null
 * for any other text. Linear: each line is parsed once.
 */
export function readChatText(text: string): SourceText[] | null {
  const first = /[^\s\uFEFF]/.exec(text)?.[0];
  if (first !== '{' && first !== '[') return null;
  const whole = parse(text);
  if (whole !== undefined) return readChat(whole);
  return first === '{' ? readLines(text) : null;
}

function readLines(text: string): SourceText[] | null {
  const texts: SourceText[] = [];
  let prose: string[] = [];
  let messages = 0;
  const endProse = () => {
    if (prose.some((line) => line.trim() !== '')) texts.push({ text: prose.join('\n'), speaker: null });
    prose = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const record = /^\s*\{/.test(line) ? parse(line) : undefined;
    if (record === undefined || !isJsonObject(record)) {
      prose.push(line);
      continue;
    }
    endProse();
    if (!isMessage(record)) continue;
    messages += 1;
    texts.push(...textsOfMessage(record));
  }
  endProse();
  return messages === 0 ? null : texts;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isMessage(value: JsonObject): boolean {
  const inner = innerOf(value);
  return (authorOf(value) ?? authorOf(inner)) !== null && textKeys.some((key) => inner[key] !== undefined);
}

/** The record itself, or the message that it wraps: `{ type, message: { role, content } }`. */
function innerOf(value: JsonObject): JsonObject {
  const message = value['message'];
  return message !== undefined && isJsonObject(message) ? message : value;
}

function authorOf(value: JsonObject): string | null {
  for (const key of authorKeys) {
    const author = value[key];
    if (typeof author === 'string' && author !== '') return author;
    if (author !== undefined && isJsonObject(author)) {
      const name = nameOf(author);
      if (name !== null) return name;
    }
  }
  return null;
}

const nameKeys = [
  'nickname',
  'display_name',
  'displayName',
  'real_name',
  'name',
  'username',
  'role',
] as const;

/** The name of an author that is an object, also in its `user`. */
function nameOf(author: JsonObject): string | null {
  const user = author['user'];
  const fields = user !== undefined && isJsonObject(user) ? user : author;
  return (
    (nameKeys.map((key) => fields[key]).find((name) => typeof name === 'string' && name !== '') as
      | string
      | undefined) ?? null
  );
}

/** Types of records that are no names of authors. */
const recordType = /^(?:message|text|msg|default|chat|post|comment)$/i;

function textsOfMessage(value: JsonObject): SourceText[] {
  const inner = innerOf(value);
  const author = authorOf(inner) ?? authorOf(value);
  if (author === null || notSpoken.test(author)) return [];
  if (typeof value['subtype'] === 'string' && notSaid.test(value['subtype'])) return [];
  const named = typeof inner['name'] === 'string' && inner['name'] !== '' ? inner['name'] : author;
  const speaker = recordType.test(named) ? null : named.slice(0, 64);
  const content = textKeys.map((key) => inner[key]).find((each) => each !== undefined && each !== null);
  return content === undefined ? [] : textsOf(content, maxDepth).map((text) => ({ text, speaker }));
}

/** Whether a list is one text with links and styles in it, as Telegram exports them. */
function isInline(parts: readonly JsonValue[]): boolean {
  return (
    parts.some((part) => typeof part === 'string') &&
    parts.some((part) => part !== null && isJsonObject(part)) &&
    parts.every(
      (part) =>
        typeof part === 'string' ||
        (part !== null &&
          isJsonObject(part) &&
          typeof part['text'] === 'string' &&
          typeof part['type'] === 'string'),
    )
  );
}

function inlineText(parts: readonly JsonValue[]): string {
  return parts.map((part) => (part !== null && isJsonObject(part) ? part['text'] : part)).join('');
}

/** The texts of content: a text, or parts of the type text. Omits calls of tools, their results, and thoughts. */
function textsOf(content: JsonValue, depth: number): string[] {
  if (typeof content === 'string') return [content];
  if (depth === 0 || content === null) return [];
  if (Array.isArray(content))
    return isInline(content) ? [inlineText(content)] : content.flatMap((part) => textsOf(part, depth - 1));
  if (!isJsonObject(content)) return [];
  const type = content['type'] ?? content['content_type'];
  if (typeof type === 'string' && !/text/i.test(type)) return [];
  const text = content['text'] ?? content['content'] ?? content['parts'];
  return text === undefined ? [] : textsOf(text, depth - 1);
}
