import { isJsonObject, type JsonValue } from '@continuity/kernel/json';
import { readChat, readChatText, type SourceText } from './chat.ts';
import { hasCredentialOrMask } from './credential-mask.ts';

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
  const stack: { value: JsonValue; isSecret: boolean }[] = [{ value: content, isSecret: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, isSecret } = next;
    if (typeof value === 'string') {
      if (isSecret) read.credentials += 1;
      else read.texts.push({ text: value, speaker: null });
      continue;
    }
    const chat = isSecret ? null : readChat(value);
    if (chat !== null) read.texts.push(...chat);
    else stack.push(...childrenOf(value, isSecret).reverse());
  }
  return read;
}

function childrenOf(value: JsonValue, isSecret: boolean): { value: JsonValue; isSecret: boolean }[] {
  if (Array.isArray(value)) return value.map((each) => ({ value: each, isSecret }));
  if (value === null || !isJsonObject(value)) return [];
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => ({ value: each, isSecret: isSecret || isSecretName(key) }));
}

/** Whether the name of a field, such as `db_password`, marks its value as a credential. */
function isSecretName(key: string): boolean {
  return hasCredentialOrMask(`${key}=value1`);
}
