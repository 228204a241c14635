import type { JsonValue } from '@continuity/kernel/json';
import { hasCredential } from './credentials.ts';

/**
 * The texts of one Source (spec 20 X1): a string itself, of other JSON the string leaves. Leaves stay separate, so that no sentence
 * and no unclosed code block spans two of them. Visits object keys in canonical order (UTF-16 code units).
 */
export function sourceTexts(content: JsonValue): string[] {
  if (typeof content === 'string') return [content];
  if (content === null || typeof content !== 'object') return [];
  if (Array.isArray(content)) return content.flatMap(sourceTexts);
  return Object.entries(content)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => (isSecretName(key) ? [] : sourceTexts(value)));
}

/** Whether the name of a field, such as `db_password`, marks its value as a credential. */
function isSecretName(key: string): boolean {
  return hasCredential(`${key}=value`);
}
