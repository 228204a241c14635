import type { JobPayload } from '@continuity/contract';
import type { FlushResult } from '@continuity/contract/memory';
import type { Database } from '@continuity/kernel/database';
import { runInSlices } from '@continuity/kernel/fairness';
import type { Logger } from '@continuity/kernel/telemetry';
import { InferenceError } from '../../inference/index.ts';
import { type ClaimedJob, finishJob, rethrowInterruption } from '../../jobs/index.ts';
import { projectTexts } from '../../search/index.ts';
import { countGenerations } from '../../usage/index.ts';
import { type ExtractionProfile, type Extractor, originOf } from '../extraction/index.ts';
import { commitFlush, type ExtractedWindow, StaleEntriesError } from './commit.ts';
import { afterSuccess, builtInWindow, extractionFailure, recordFailure } from './fail.ts';
import { fitWindow } from './fit-window.ts';
import { findKnownEntries } from './known-entries.ts';
import { type FlushWindow, readWindow } from './window.ts';

/** Dependencies of `runFlush`. */
export interface FlushDeps {
  database: Database;
  logger: Logger;
  /** The configured extractor, and the fallback without a model. */
  extractor: Extractor;
  builtIn: Extractor;
  profile: ExtractionProfile;
  windowLimit: number;
  autoFlush: boolean;
}

/** Limit of extractions of one window; the last one drops stale revises (spec 20 F10). */
const maxExtractions = 3;

/**
 * Extracts the next window of the job's Scope into Memory and finishes the job. Extraction runs outside of any transaction.
 */
export async function runFlush(
  deps: FlushDeps,
  job: ClaimedJob,
  { scope_id: scopeId }: JobPayload<'flush_memory'>,
  signal: AbortSignal,
): Promise<void> {
  const { database, windowLimit } = deps;
  const window = await readWindow(database.sql, job.tenantId, scopeId, windowLimit);
  if (window === undefined || window.sources.length === 0) {
    await finishJob(database.sql, job, idle(window));
    return;
  }
  try {
    await extractAndCommit(deps, job, window, signal);
  } catch (error) {
    rethrowInterruption(error, signal);
    await recordFailure(database.sql, job.tenantId, window, error, deps.autoFlush);
    throw error instanceof InferenceError ? extractionFailure(error) : error;
  }
}

async function extractAndCommit(
  deps: FlushDeps,
  job: ClaimedJob,
  window: FlushWindow,
  signal: AbortSignal,
): Promise<void> {
  for (let extraction = 1; ; extraction += 1) {
    const extracted = await extract(deps, job, window, signal);
    try {
      await commitFlush(deps.database, job, extracted, extraction === maxExtractions);
      if (extracted.parked !== null) warnOfParked(deps.logger, job, extracted.parked.position);
      return;
    } catch (error) {
      if (!(error instanceof StaleEntriesError)) throw error;
    }
  }
}

async function extract(
  { database, logger, extractor, builtIn, profile, windowLimit, autoFlush }: FlushDeps,
  job: ClaimedJob,
  window: FlushWindow,
  signal: AbortSignal,
): Promise<ExtractedWindow> {
  const first = window.sources[0];
  const isParked = window.retry.windowLimit === builtInWindow && extractor !== builtIn && first !== undefined;
  const chosen = isParked ? builtIn : extractor;
  const sources = window.sources.map(
    ({ sourceType, sourceId, position, json, record, metadata, occurredAt, capturedAt }) => ({
      ref: { name: sourceType, source_id: sourceId },
      position,
      json,
      record,
      origin: originOf({ metadata, occurredAt, capturedAt }),
    }),
  );
  const known = chosen.needsKnownEntries ? await findKnownEntries(database.sql, job, window) : [];
  const onUsage = countGenerations(
    { sql: database.sql, logger },
    { tenantId: job.tenantId, scope: { scopeKey: window.scopeKey }, purpose: 'memory_extraction' },
  );
  const { proposals, leftOut } = await chosen.extract({
    tenantId: job.tenantId,
    profile,
    sources,
    known,
    signal,
    onUsage,
  });
  const corpus = { tenantId: job.tenantId, scopeId: window.scopeId };
  const texts = proposals.map(({ text }) => text);
  const projections = await runInSlices(projectTexts(corpus, texts));
  return {
    ...(await runInSlices(fitWindow({ window, proposals, leftOut }, projections))),
    projections,
    seenVersions: new Map(known.map((entry) => [entry.entry_id, entry.entry_version_id])),
    parked: isParked ? { position: first.position, reason: 'invalid_output' } : null,
    retry: afterSuccess(window.retry, windowLimit),
    autoFlush,
  };
}

function idle(window: FlushWindow | undefined) {
  const cursor = window?.cursor ?? 0;
  return {
    status: 'idle',
    previous_cursor: cursor,
    current_cursor: cursor,
    high_watermark: window?.highWatermark ?? 0,
    processed_source_count: 0,
    memory: null,
  } satisfies FlushResult;
}

function warnOfParked(logger: Logger, job: ClaimedJob, position: number): void {
  logger.warn(
    { job_id: job.jobId, tenant_id: job.tenantId, position },
    'the built-in extractor processed a Source after three invalid outputs of the model',
  );
}
