import type { SourceRef } from '@continuity/contract';
import {
  type Database,
  deploymentStatement,
  type PrismaTransaction,
  tables,
} from '@continuity/kernel/database';
import { canonicalJson } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { proposedExperience } from '../../experience/index.ts';
import { InferenceError, inferenceFailed } from '../../inference/index.ts';
import {
  type ClaimedJob,
  commitFinishedJob,
  type DueScopeScheduler,
  finishJob,
  type JobHandler,
  newJob,
  takeDueScopes,
} from '../../jobs/index.ts';
import { createCandidate } from '../../review/index.ts';
import { requireScopeKey } from '../../scopes/index.ts';
import { countGenerations } from '../../usage/index.ts';
import { readSourcePieces } from '../evidence/source-pieces.ts';
import type { Piece } from '../piece.ts';
import type { IncubatedExperience } from '../port.ts';
import type { GenerateDeps } from '../run.ts';
import { type IncubationWindow, moveCursor, parkSource, readWindow, recordInvalid } from './state.ts';

/**
 * The handler of `incubate_experience` (spec 40 §2.3). Candidates and the moved cursor commit in one transaction, so that a
 * repeated run makes no second Candidate.
 */
export function runIncubateExperience(deps: GenerateDeps): JobHandler<'incubate_experience'> {
  return async (job, { scope_id: scopeId }, { signal }) => {
    const { database, logger } = deps;
    const { tenantId } = job;
    const scopeKey = await requireScopeKey(database.sql, { tenantId, scopeId });
    const read = await database.prismaSnapshot(async (snapshot) => {
      const window = await readWindow(snapshot, tenantId, scopeKey);
      const place = { tenantId, scopeId, scopeKey };
      return window && { window, pieces: await readSourcePieces(snapshot, place, window.outcomes) };
    });
    if (read === undefined) return await finishJob(database.sql, job, { candidates: 0 });
    const { window, pieces } = read;
    const made = await incubate(deps, job, window, pieces, signal);
    const experiences = made ?? [];
    await database.prismaTransaction(async (transaction) => {
      await moveCursor(transaction.sql, tenantId, window);
      if (made === null) await parkSource(transaction.sql, tenantId, window);
      for (const experience of experiences) await propose(deps, transaction, job, window, experience);
      await commitFinishedJob(transaction.sql, job, { candidates: experiences.length });
    });
    if (made !== null) return;
    const skipped = { job_id: job.jobId, tenant_id: tenantId, position: window.end };
    logger.warn(skipped, 'incubation skipped a task outcome after three invalid model answers');
  };
}

/** The Experiences of the window; null for a single Source that the model cannot read. Throws 503 if the window is read again. */
async function incubate(
  { database, logger, experience }: GenerateDeps,
  { tenantId }: ClaimedJob,
  window: IncubationWindow,
  pieces: Piece[],
  signal: AbortSignal,
): Promise<IncubatedExperience[] | null> {
  if (pieces.length === 0) return [];
  const { sql } = database;
  const work = { tenantId, scope: { scopeKey: window.scopeKey }, purpose: 'experience_generation' } as const;
  const onUsage = countGenerations({ sql, logger }, work);
  try {
    return distinct(await experience.incubate({ pieces, signal, onUsage }));
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const isRetried = error.reason !== 'invalid_output' || (await recordInvalid(sql, tenantId, window));
    if (isRetried) throw inferenceFailed(error, 'The task outcomes are read again later.');
    return null;
  }
}

function distinct(experiences: readonly IncubatedExperience[]): IncubatedExperience[] {
  return [...new Map(experiences.map((one) => [canonicalJson([one.content, one.evidence]), one])).values()];
}

async function propose(
  { clock }: GenerateDeps,
  transaction: PrismaTransaction,
  { tenantId }: ClaimedJob,
  { scopeKey, outcomes }: IncubationWindow,
  { content, evidence }: IncubatedExperience,
): Promise<void> {
  const cited = (index: number): SourceRef[] => outcomes.slice(index, index + 1);
  const source_refs = evidence.flatMap(cited);
  await createCandidate(transaction, {
    tenantId,
    scopeKey,
    candidateId: newId(),
    origin: 'incubated',
    workKey: null,
    proposed: proposedExperience(content),
    evidence: { source_refs, artifact_refs: [], target: null, reason: null },
    actor: null,
    at: clock.now(),
  });
}

const takeDue = deploymentStatement(
  'take_due_incubations',
  takeDueScopes('source_sequences', 'incubation_due_at'),
  { tenant_id: tables.source_sequences.tenant_id, scope_id: tables.scopes.scope_id },
);

/** Queues a background incubation of each Scope with new Task Outcomes (spec 40 §2.3). */
export async function scheduleIncubations({ sql }: Database, scheduler: DueScopeScheduler): Promise<void> {
  await scheduler.queueJobs(
    () => sql.rows(takeDue, []),
    ({ tenant_id: tenantId, scope_id: scopeId }) =>
      newJob('incubate_experience', { tenantId, scopeId, payload: { scope_id: scopeId } }),
  );
}
