import { z } from 'zod';
import {
  artifactRef,
  int,
  jsonObject,
  memoryCitation,
  scopeId,
  shortId,
  sourceRef,
  str,
  text,
  time,
  token,
  withOneOf,
} from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleSummary as exampleSourceSummary, sourceSummary } from '../sources/operations.ts';
import { exampleCitation, exampleEntry, exampleEntryId, exampleRef, exampleVersionId } from './examples.ts';
import {
  asOfField,
  changeOp,
  maxKindCharacters,
  maxReasonCharacters,
  memoryEntry,
  queryField,
  revisionChanges,
  searchHit,
} from './shapes.ts';
import {
  flushMemory,
  memoryTag,
  rememberMemory,
  retireMemoryEntry,
  reviseMemoryEntry,
} from './write-operations.ts';

const pageLimit = int(1, 1000).nullish().meta({ description: 'Default 1000.' });
const cursor = str(1, 4096).nullish().meta({ description: '`next_cursor` of the previous page.' });

export const searchMemory = defineOperation({
  ...memoryTag,
  id: 'search_memory',
  path: '/v1/memory/search',
  summary: 'Search the active entries of a Scope',
  description:
    'The query is plain words, without operators. Scores are comparable only within one answer. What has ended is found with `as_of` ' +
    'alone.',
  body: z.strictObject({
    scope_id: scopeId,
    query: queryField,
    limit: int(1, 50).default(10),
    mode: z.enum(['auto', 'fts', 'vector', 'hybrid']).default('auto'),
    as_of: asOfField.meta({
      description: 'Entries that held at this time alone. Without it, those that have not ended by now.',
    }),
  }),
  response: z.strictObject({
    memory: artifactRef.nullable(),
    mode: z.enum(['fts', 'vector', 'hybrid']).nullable(),
    hits: z.array(searchHit).max(50),
    reason: z
      .enum(['no_memory', 'no_match'])
      .optional()
      .meta({ description: 'Why there are no hits. Absent where there are some.' }),
  }),
  errors: ['capability_not_supported', 'inference_unavailable', 'inference_timeout'],
  run: 'direct',
  examples: [
    {
      summary: 'Words of a question',
      body: { scope_id: 'project-alpha', query: 'which postgres version', limit: 5 },
      response: {
        memory: exampleRef(2),
        mode: 'fts',
        hits: [
          {
            citation: exampleCitation(2),
            text: 'Use Postgres 16 for every environment.',
            score: 1,
            matched_by: ['fts'],
          },
        ],
      },
    },
  ],
});

export const listMemoryEntries = defineOperation({
  ...memoryTag,
  id: 'list_memory_entries',
  path: '/v1/memory/entries/list',
  summary: 'List the entries of the Scope Memory',
  description:
    'Lists entries by `entry_id`, which is the order of their creation. All pages of a list show the revision of its first page. ' +
    'With `kind` or `as_of`, a page may be short or empty although more follow: continue with `next_cursor`.',
  body: z.strictObject({
    scope_id: scopeId,
    include_inactive: z.boolean().optional().meta({ description: 'Default false.' }),
    order: z.enum(['oldest', 'newest']).optional().meta({ description: 'Default `oldest`.' }),
    kind: text(1, maxKindCharacters).nullish().meta({ description: 'Entries of this kind alone.' }),
    as_of: asOfField.meta({
      description: 'Entries that held at this time alone. Without it, ended ones are listed too.',
    }),
    limit: pageLimit,
    cursor,
  }),
  response: z.strictObject({
    memory: artifactRef.nullable(),
    entries: z.array(memoryEntry),
    next_cursor: z.string().nullable(),
    other_memories: int(1)
      .optional()
      .meta({
        description:
          'Memory Artifacts of the Scope besides the Scope Memory. Search finds their entries; no page lists them. Absent if there ' +
          'are none.',
      }),
  }),
  errors: ['invalid_cursor'],
  run: 'direct',
  examples: [
    {
      summary: 'The first page',
      body: { scope_id: 'project-alpha', limit: 100 },
      response: { memory: exampleRef(1), entries: [exampleEntry(1)], next_cursor: null },
    },
  ],
});

export const getMemoryEntry = defineOperation({
  ...memoryTag,
  id: 'get_memory_entry',
  path: '/v1/memory/entries/get',
  summary: 'Read an entry by its exact citation or by its id',
  description:
    'Give one of `citation`, `short_id` and `entry_id`. By a `citation` or `short_id` the answer never changes; by a `short_id` it ' +
    'is that of the revision that wrote the version. By an `entry_id` it is the entry of the Scope Memory as it is now, with the ' +
    'citation that a revise or retire needs.',
  body: withOneOf(
    z.strictObject({
      scope_id: scopeId,
      citation: memoryCitation.optional(),
      short_id: shortId.optional(),
      entry_id: token(1, 128).optional(),
    }),
    'citation',
    'short_id',
    'entry_id',
  ),
  response: memoryEntry,
  errors: ['memory_not_found'],
  run: 'direct',
  examples: [
    {
      summary: 'A cited decision',
      body: { scope_id: 'project-alpha', citation: exampleCitation(1) },
      response: exampleEntry(1),
    },
    {
      summary: 'An entry as it is now',
      body: { scope_id: 'project-alpha', entry_id: exampleEntryId },
      response: exampleEntry(2),
    },
  ],
});

export const listMemoryChanges = defineOperation({
  ...memoryTag,
  id: 'list_memory_changes',
  path: '/v1/memory/changes',
  summary: 'List what each revision of the Scope Memory changed',
  description: 'Lists the revisions after `since_revision`. Without it, lists only the head revision.',
  body: z.strictObject({ scope_id: scopeId, since_revision: int(0).nullish(), limit: pageLimit, cursor }),
  response: z.strictObject({
    memory: artifactRef.nullable(),
    revisions: z.array(revisionChanges),
    next_cursor: z.string().nullable(),
  }),
  errors: ['invalid_cursor'],
  run: 'direct',
  examples: [
    {
      summary: 'From the beginning',
      body: { scope_id: 'project-alpha', since_revision: 0 },
      response: {
        memory: exampleRef(1),
        revisions: [
          {
            memory_ref: exampleRef(1),
            changes: [
              {
                op: 'add',
                entry_id: exampleEntryId,
                from_entry_version_id: null,
                to_entry_version_id: exampleVersionId,
                reason: null,
              },
            ],
          },
        ],
        next_cursor: null,
      },
    },
  ],
});

export const listMemoryEntryHistory = defineOperation({
  ...memoryTag,
  id: 'list_memory_entry_history',
  path: '/v1/memory/entries/history',
  summary: 'List what happened to an entry',
  description:
    'Lists the events of an entry, newest first, each with the entry as it was after the event. All pages show the history up to the ' +
    'head of the first page. A page may be shorter than `limit` if its entries are large.',
  body: z.strictObject({
    scope_id: scopeId,
    artifact_id: token(1, 128).default('memory'),
    entry_id: token(1, 128),
    cursor: str(1, 4096).nullable().default(null),
    limit: int(1, 100).default(20),
  }),
  response: z
    .strictObject({
      memory: artifactRef.meta({ description: 'The head that the history runs to.' }),
      events: z
        .array(
          z
            .strictObject({
              op: changeOp,
              at: time.meta({ description: 'When the revision was committed.' }),
              reason: str(1, maxReasonCharacters).nullable(),
              entry: memoryEntry.meta({ description: 'The entry after the event, cited at its revision.' }),
            })
            .meta({ id: 'EntryEvent' }),
        )
        .min(1)
        .max(100),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'EntryHistory' }),
  errors: ['invalid_cursor', 'memory_not_found'],
  run: 'direct',
  examples: [
    {
      summary: 'A decision that was retired',
      body: { scope_id: 'project-alpha', entry_id: exampleEntryId },
      response: {
        memory: exampleRef(2),
        events: [
          {
            op: 'deactivate',
            at: '2026-11-20T10:05:00.000Z',
            reason: 'superseded',
            entry: { ...exampleEntry(2), state: 'inactive' },
          },
          { op: 'add', at: '2026-11-20T10:00:00.000Z', reason: null, entry: exampleEntry(1) },
        ],
        next_cursor: null,
      },
    },
  ],
});

export const traceSource = defineOperation({
  ...memoryTag,
  tag: 'sources',
  id: 'trace_source',
  path: '/v1/sources/trace',
  summary: 'Show what extraction made of a Source',
  description:
    'Shows the entries that the flush of the Source changed and that cite it: as that revision had them, and as they are at the head. ' +
    'Also returns the metadata of the Source.',
  body: z.strictObject({ scope_id: scopeId, source: sourceRef }),
  response: z
    .strictObject({
      source: sourceSummary,
      metadata: jsonObject.nullable(),
      traced: z.boolean().meta({
        description: 'False if a release that kept no traces extracted the Source.',
      }),
      memory: artifactRef
        .nullable()
        .meta({ description: 'The revision that the flush of the Source wrote; null if it wrote none.' }),
      entries: z
        // biome-ignore lint/suspicious/noThenProperty: a field of items, which nothing awaits
        .array(z.strictObject({ then: memoryEntry, now: memoryEntry }))
        .max(100)
        .meta({
          description: 'Ascending by `entry_id`.',
        }),
      more: int(0).meta({ description: 'Entries beyond the first 100.' }),
    })
    .meta({ id: 'SourceTrace' }),
  errors: ['source_not_found'],
  run: 'direct',
  examples: [
    {
      summary: 'A Source that became a decision',
      body: { scope_id: 'project-alpha', source: { name: 'content', source_id: 'ci/8841' } },
      response: {
        source: { ...exampleSourceSummary, state: 'processed' },
        metadata: { branch: 'main' },
        traced: true,
        memory: exampleRef(1),
        // biome-ignore lint/suspicious/noThenProperty: a field of items, which nothing awaits
        entries: [{ then: exampleEntry(1), now: exampleEntry(2) }],
        more: 0,
      },
    },
  ],
});

export const memoryOperations = {
  flush_memory: flushMemory,
  remember_memory: rememberMemory,
  search_memory: searchMemory,
  list_memory_entries: listMemoryEntries,
  get_memory_entry: getMemoryEntry,
  revise_memory_entry: reviseMemoryEntry,
  retire_memory_entry: retireMemoryEntry,
  list_memory_changes: listMemoryChanges,
  list_memory_entry_history: listMemoryEntryHistory,
  trace_source: traceSource,
};

export type SearchMemoryResponse = z.infer<typeof searchMemory.response>;
export type EntryHistory = z.infer<typeof listMemoryEntryHistory.response>;
export type SourceTrace = z.infer<typeof traceSource.response>;
