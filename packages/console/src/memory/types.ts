import type { AnswerOf } from '../api/service.ts';
import { choice, id, type PageParameters, whole } from '../routing/schema.ts';

export type MemoryEntry = AnswerOf<'getMemoryEntry'>;
export type MemoryCitation = MemoryEntry['citation'];
type ListedEvent = AnswerOf<'listMemoryEntryHistory'>['events'][number];
/** An event of a timeline. One that was found by its revision alone has no time. */
export type EntryEvent = Omit<ListedEvent, 'at'> & { at: ListedEvent['at'] | null };

/** Kinds that the service knows. The vocabulary is open. */
export const knownKinds = ['fact', 'preference', 'decision', 'constraint', 'working_note'] as const;

/** A citation as agents send it. */
export const citationText = (citation: MemoryCitation): string => JSON.stringify(citation);

/** Parameters of the page's address (spec 60 §6.2). */
export const memorySchema = {
  scope: id(256),
  kind: id(128),
  state: choice('active', 'all'),
  order: choice('newest', 'oldest'),
  mode: choice('auto', 'fts', 'vector', 'hybrid'),
  artifact: id(128),
  entry: id(128),
  revision: whole(2 ** 31, null),
};

export type MemoryParameters = PageParameters<typeof memorySchema>;
