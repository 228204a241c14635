import type { memoryOperations } from '@continuity/contract/memory';
import type { Database } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { CursorCodec, Handlers } from '@continuity/shared/handlers';
import { type JobGateway, runQueued } from '../jobs/index.ts';
import { retireEntry, reviseEntry } from './change-entry.ts';
import { flushJob } from './flush/index.ts';
import { getEntry, getEntryById, getEntryByShortId } from './get-entry.ts';
import { listChanges } from './list-changes.ts';
import { listEntries } from './list-entries.ts';
import { listHistory } from './list-history.ts';
import { requireEntry, requireKind, requireReason } from './normalize.ts';
import { presentSearch } from './present-search.ts';
import { remember } from './remember.ts';
import { type SearchDeps, searchMemory } from './search/index.ts';
import { traceSource } from './trace-source.ts';

/** Dependencies of the operations on Memory. */
export interface MemoryDeps {
  database: Database;
  jobs: JobGateway;
  searchDeps: SearchDeps;
  cursors: CursorCodec;
  logger: Logger;
  clock: Clock;
}

export const memoryHandlers: Handlers<typeof memoryOperations, MemoryDeps> = {
  flush_memory: ({ jobs }, caller, { body }) =>
    runQueued(jobs, flushJob(caller.tenantId, body.scope_id), caller),

  remember_memory: async ({ database }, { tenantId }, { body }) => ({
    body: await remember(database, {
      tenantId,
      scopeId: body.scope_id,
      ...requireEntry(body),
      validity: body,
      expectedRevision: body.expected_revision ?? null,
      sourceRefs: body.source_refs,
      supersedes: body.supersedes,
    }),
  }),

  search_memory: async ({ database, searchDeps, logger, clock }, { tenantId }, { body }) => {
    const { scope_id: scopeId, as_of: asOf, ...search } = body;
    const answer = await searchMemory(searchDeps, { logger, clock }, { tenantId, scopeId, asOf, ...search });
    return { body: await presentSearch(database.sql, { tenantId, scopeId }, answer) };
  },

  list_memory_entries: async ({ database, cursors }, { tenantId }, { body }) => ({
    body: await listEntries(database.sql, cursors, {
      tenantId,
      scopeId: body.scope_id,
      includeInactive: body.include_inactive,
      order: body.order,
      kind: requireKind(body.kind),
      asOf: body.as_of,
      limit: body.limit,
      cursor: body.cursor,
    }),
  }),

  get_memory_entry: async ({ database: { sql } }, { tenantId }, { body }) => {
    const { scope_id: scopeId, citation, short_id: shortId, entry_id: entryId = '' } = body;
    if (citation !== undefined) return { body: await getEntry(sql, tenantId, scopeId, citation) };
    if (shortId !== undefined) return { body: await getEntryByShortId(sql, tenantId, scopeId, shortId) };
    return { body: await getEntryById(sql, tenantId, scopeId, entryId) };
  },

  revise_memory_entry: async ({ database }, { tenantId }, { body }) => ({
    body: await reviseEntry(database, {
      tenantId,
      scopeId: body.scope_id,
      citation: body.citation,
      ...requireEntry(body),
      validity: body,
    }),
  }),

  retire_memory_entry: async ({ database }, { tenantId }, { body }) => ({
    body: await retireEntry(database, {
      tenantId,
      scopeId: body.scope_id,
      citation: body.citation,
      reason: requireReason(body.reason),
    }),
  }),

  list_memory_changes: async ({ database, cursors }, { tenantId }, { body }) => ({
    body: await listChanges(database.sql, cursors, {
      tenantId,
      scopeId: body.scope_id,
      sinceRevision: body.since_revision,
      limit: body.limit,
      cursor: body.cursor,
    }),
  }),

  list_memory_entry_history: async ({ database, cursors }, { tenantId }, { body }) => ({
    body: await listHistory(database.sql, cursors, {
      tenantId,
      scopeId: body.scope_id,
      artifactId: body.artifact_id,
      entryId: body.entry_id,
      limit: body.limit,
      cursor: body.cursor,
    }),
  }),

  trace_source: async ({ database }, { tenantId }, { body }) => ({
    body: await traceSource(database, { tenantId, scopeId: body.scope_id, source: body.source }),
  }),
};
