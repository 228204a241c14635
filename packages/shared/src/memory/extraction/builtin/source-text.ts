import { isJsonObject, type JsonValue } from '@continuity/kernel/json';
import { readChat, readChatText, type SourceText } from './chat.ts';
import { hasCredentialOrMask } from './credential-mask.ts';
import { kindOfName } from './sections.ts';

/** The texts of a Source. */
export interface SourceTexts {
  texts: SourceText[];
  /** Texts that a field such as `db_password` marks as credentials. */
  credentials: number;
}

/**
 * The texts of one Source (spec 20 X1): a string itself, of other JSON the string leaves. Leaves stay separate, so that no sentence
 * and no unclosed code block spans two of them. Object keys are in canonical order (UTF-16 code units). A chat, as JSON or in a text,
 * is read message by message (spec 25 Q14).
 */
export function sourceTexts(content: JsonValue): SourceTexts {
  if (typeof content === 'string')
    return { texts: readChatText(content) ?? [{ text: content, speaker: null }], credentials: 0 };
  return readLeaves(content);
}

// A stack of its own, because JSON can be nested deeper than the call stack.
function readLeaves(content: JsonValue): SourceTexts {
  const read: SourceTexts = { texts: [], credentials: 0 };
  const stack: JsonNode[] = [{ value: content, isSecret: false, key: null }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, isSecret, key } = next;
    if (typeof value === 'string') {
      if (isSecret) read.credentials += 1;
      else read.texts.push({ text: value, speaker: null });
      continue;
    }
    const chat = isSecret ? null : (readChat(value) ?? readList(value, key));
    // One by one: as arguments, the values of a long array would overflow the call stack.
    if (chat !== null) for (const text of chat) read.texts.push(text);
    else for (const child of childrenOf(value, isSecret).reverse()) stack.push(child);
  }
  return read;
}

/** A value to read, and the key that has it. */
interface JsonNode {
  value: JsonValue;
  isSecret: boolean;
  key: string | null;
}

/** A list of short texts below a key that names their kind, as a list with that name: `"action_items": […]`; else null. */
function readList(value: JsonValue, key: string | null): SourceText[] | null {
  if (key === null || !Array.isArray(value) || value.length === 0) return null;
  const name = key.replace(/[_-]+/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  if (kindOfName(name) === null || !value.every((each) => typeof each === 'string')) return null;
  // Each is a text of its own, so that none is read as a part of another one.
  return value.map((each) => ({ text: isSentence(each) ? `# ${name}\n- ${each}` : each, speaker: null }));
}

/** Whether an item of a list is one that says something: `["flask", "numpy"]` are data. */
function isSentence(item: string): boolean {
  return !/[\r\n]/.test(item) && /\S\s+\S|[\u0E00-\uFFFF]{4}/.test(item);
}

function childrenOf(value: JsonValue, isSecret: boolean): JsonNode[] {
  if (Array.isArray(value)) return value.map((each) => ({ value: each, isSecret, key: null }));
  if (value === null || !isJsonObject(value)) return [];
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => ({ value: each, isSecret: isSecret || isSecretName(key), key }));
}

/** Whether the name of a field, such as `db_password`, marks its value as a credential. */
function isSecretName(key: string): boolean {
  return hasCredentialOrMask(`${key}=value1`);
}
