import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { FlushResult } from '@continuity/contract/memory';
import {
  type Database,
  pick,
  type Sql,
  statement,
  type Transaction,
  tables,
} from '@continuity/kernel/database';
import { type ClaimedJob, commitFinishedJob } from '../../jobs/index.ts';
import type { TextProjections } from '../../search/index.ts';
import { addRevision } from '../commit-revision.ts';
import { memoryRef, scopeMemoryId } from '../entry.ts';
import type { Proposal, SourceLeftOut } from '../extraction/index.ts';
import { findAffected } from '../find-affected.ts';
import { ensureLockedMemory, type LockedMemory, lockMemory } from '../head.ts';
import { leftOutField, storeLeftOut } from './left-out.ts';
import { type FlushPlan, planFlush } from './plan.ts';
import type { FlushWindow, RetryState } from './window.ts';

/** Result of the extraction of a window. */
export interface ExtractedWindow {
  window: FlushWindow;
  proposals: Proposal[];
  leftOut: SourceLeftOut[];
  /** The texts of the proposals, analyzed for search: 4 MB take up to 8 s, and the server ends a transaction that idles for 6 s. */
  projections: TextProjections;
  /** Version of each known entry at extraction, by entry id. */
  seenVersions: ReadonlyMap<string, string>;
  /** The Source that the built-in extractor processed after the model failed repeatedly (spec 20 F12), if any. */
  parked: { position: number; reason: string } | null;
  /** Retry state of the Scope after this window. */
  retry: RetryState;
  /** Whether to schedule a flush of the remaining pending Sources. */
  autoFlush: boolean;
}

/** Entries to revise have changed since extraction. Extract the window again. */
export class StaleEntriesError extends Error {
  override name = 'StaleEntriesError';
}

/** Another flush has processed this window. */
class WindowConflictError extends Error {
  override name = 'WindowConflictError';
}

/**
 * Moves the cursor, unless another flush has moved it. If no Source is left pending, the cursor moves to the last position of
 * the Scope (spec 20 F4). Otherwise the next flush is due at once.
 */
const moveCursor = statement(
  'move_extraction_cursor',
  `UPDATE source_sequences SET
     extraction_cursor = CASE WHEN eligible_count = extracted_count + $5 THEN last_position ELSE $4 END,
     extracted_count = extracted_count + $5,
     pending_since = CASE WHEN eligible_count = extracted_count + $5 THEN NULL ELSE now() END,
     flush_due_at = CASE WHEN eligible_count = extracted_count + $5 OR NOT $6::boolean THEN NULL ELSE now() END,
     failed_flushes = 0, invalid_outputs = 0, window_limit = $7
   WHERE tenant_id = $1 AND scope_key = $2 AND extraction_cursor = $3
   RETURNING extraction_cursor, last_position`,
  pick(tables.source_sequences, 'extraction_cursor', 'last_position'),
);

const parkSource = statement(
  'park_source',
  'INSERT INTO parked_sources (tenant_id, scope_key, position, reason) VALUES ($1, $2, $3, $4)',
);

/** Lets `traceSource` find what became of a Source. The window ends before the cursor where that passes over Sources (spec 20 F4). */
const recordWindow = statement(
  'record_source_flush',
  `INSERT INTO source_flushes (tenant_id, scope_key, last_position, after_position, revision) VALUES ($1, $2, $3, $4, $5)`,
);

/**
 * Commits cursor, revision and job result in one transaction (spec 20 F7). With `mayDrop` it omits revises of entries that have
 * changed since extraction; otherwise it throws `StaleEntriesError` for them. Throws `JobLostError` if another run owns the job.
 */
export function commitFlush(
  database: Database,
  job: ClaimedJob,
  extracted: ExtractedWindow,
  mayDrop: boolean,
): Promise<FlushResult> {
  return database.transaction(async (sql) => {
    const { window } = extracted;
    const moved = await moveExtractionCursor(sql, job, extracted);
    const { memory, revision } = await reviseMemory(sql, job, extracted, mayDrop);
    const result = {
      status: 'processed' as const,
      previous_cursor: window.cursor,
      current_cursor: moved.extraction_cursor,
      high_watermark: moved.last_position,
      processed_source_count: window.sources.length,
      memory,
      ...leftOutField(extracted.leftOut),
    };
    await storeLeftOut(sql, job.tenantId, window.scopeKey, extracted.leftOut);
    if (extracted.parked !== null) {
      const { position, reason } = extracted.parked;
      await sql.rows(parkSource, [job.tenantId, window.scopeKey, position, reason]);
    }
    const last = window.sources.at(-1)?.position ?? window.cursor;
    // Both are sent at once: the row takes no round trip of its own.
    await Promise.all([
      sql.rows(recordWindow, [job.tenantId, window.scopeKey, last, window.cursor, revision]),
      commitFinishedJob(sql, job, result),
    ]);
    return result;
  });
}

async function moveExtractionCursor(
  sql: Sql,
  { tenantId }: ClaimedJob,
  { window, autoFlush, retry }: ExtractedWindow,
) {
  const last = window.sources.at(-1)?.position ?? window.cursor;
  const values = [
    tenantId,
    window.scopeKey,
    window.cursor,
    last,
    window.sources.length,
    autoFlush,
    retry.windowLimit,
  ];
  const moved = await sql.first(moveCursor, values);
  if (moved === undefined) throw new WindowConflictError('Another flush has processed this window.');
  return moved;
}

/**
 * Writes the revision, if any. Returns its number, null if nothing changed, and the head; null if the Scope has no Memory.
 */
async function reviseMemory(
  sql: Transaction,
  job: ClaimedJob,
  extracted: ExtractedWindow,
  mayDrop: boolean,
): Promise<{ memory: ArtifactRef | null; revision: number | null }> {
  const { scopeId } = extracted.window;
  const known = await lockMemory(sql, job.tenantId, scopeId, scopeMemoryId);
  if (known === undefined && extracted.proposals.length === 0) return { memory: null, revision: null };
  const memory = known ?? (await ensureLockedMemory(sql, job.tenantId, scopeId));
  const plan = await planWrites(sql, memory, extracted);
  if (plan.stale > 0 && !mayDrop) throw new StaleEntriesError();
  if (plan.writes.length === 0) {
    const head = memory.headRevision === 0 ? null : memoryRef(scopeMemoryId, memory.headRevision);
    return { memory: head, revision: null };
  }
  const sources = extracted.window.sources.map(({ sourceType, sourceId }) => ({
    source_type: sourceType,
    source_id: sourceId,
  }));
  const lineage = { sources, artifacts: [] };
  const revision = await addRevision(sql, memory, plan.writes, lineage, extracted.projections);
  return { memory: memoryRef(scopeMemoryId, revision), revision };
}

async function planWrites(sql: Sql, memory: LockedMemory, extracted: ExtractedWindow): Promise<FlushPlan> {
  const { proposals, seenVersions, window } = extracted;
  if (proposals.length === 0) return { writes: [], stale: 0 };
  const positions = new Map(
    window.sources.map((source) => [identity(source.sourceType, source.sourceId), source.position]),
  );
  return planFlush({
    proposals,
    affected: await findAffected(sql, memory, {
      contents: proposals.filter(({ op }) => op === 'add'),
      entryIds: proposals.flatMap((proposal) => (proposal.op === 'revise' ? [proposal.entry_id] : [])),
    }),
    seenVersions,
    positionOf: (ref: SourceRef) => positions.get(identity(ref.name, ref.source_id)) ?? 0,
  });
}

function identity(type: string, id: string): string {
  return JSON.stringify([type, id]);
}
