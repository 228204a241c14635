import type { AnswerOf } from '../api/service.ts';

export type MemoryEntry = AnswerOf<'getMemoryEntry'>;
export type MemoryCitation = MemoryEntry['citation'];
export type EntryEvent = AnswerOf<'listMemoryEntryHistory'>['events'][number];

/** Kinds that the service knows. The vocabulary is open. */
export const knownKinds = ['fact', 'preference', 'decision', 'constraint', 'working_note'] as const;

/** A citation as agents send it. */
export const citationText = (citation: MemoryCitation): string => JSON.stringify(citation);
