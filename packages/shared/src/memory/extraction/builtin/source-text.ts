import type { JsonValue } from '../../../kernel/json.ts';
import { looksLikeCredential } from './credentials.ts';

/**
 * The texts of one Source (spec 20 X1): a string as it is, other JSON as its string leaves. Each leaf stands alone, so
 * that neither a sentence nor an unclosed code block runs from one into the next. Object keys are followed in
 * canonical order (UTF-16 code units), which is document order however the value was stored.
 */
export function sourceTexts(content: JsonValue): string[] {
  if (typeof content === 'string') return [content];
  if (content === null || typeof content !== 'object') return [];
  if (Array.isArray(content)) return content.flatMap(sourceTexts);
  return Object.entries(content)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => (namesSecret(key) ? [] : sourceTexts(value)));
}

/** Whether a field like `db_password` tells that its value is a credential, whatever the value looks like. */
function namesSecret(key: string): boolean {
  return looksLikeCredential(`${key}=value`);
}
