import type { EmptyReason } from '@continuity/contract/context';
import { emptyWords } from '@continuity/contract/empty-words';

/** The fields of answers that can be empty. */
interface Answer {
  reason?: EmptyReason;
  entries?: unknown[];
}

/** Says why an answer has no hits, entries or content, for a model that takes an empty list for a fact; undefined for any other. */
export function wordsForEmpty(body: unknown, answer: object): string | undefined {
  const { scope_id: scopeId } = (body ?? {}) as { scope_id?: string };
  const { reason, entries } = answer as Answer;
  if (scopeId === undefined) return undefined;
  if (reason !== undefined) return emptyWords(reason, scopeId);
  return entries?.length === 0 ? emptyWords('no_memory', scopeId) : undefined;
}
