import type { GeneratedFamily, JobPayload } from '@continuity/contract';
import type { Candidate, Generated } from '@continuity/contract/review';
import type { Database, PrismaTransaction, Queries } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { EvidencePlace } from '../evidence/index.ts';
import { InferenceError, inferenceFailed } from '../inference/index.ts';
import {
  type ClaimedJob,
  commitFinishedJob,
  finishJob,
  type JobHandler,
  requireWorkKey,
} from '../jobs/index.ts';
import { checkEvidence, createCandidate, distinctEvidence, type Proposed } from '../review/index.ts';
import { requireScopeKey } from '../scopes/index.ts';
import { countGenerations } from '../usage/index.ts';
import { type ReadEvidence, readEvidence } from './evidence/read-evidence.ts';
import type { GenerationFamilies, GenerationRequest, Generators } from './family.ts';
import { findPendingResult, noOp, pendingOf } from './results.ts';

/** Dependencies of the handlers of generation jobs. */
export interface GenerateDeps extends Generators {
  database: Database;
  logger: Logger;
  clock: Clock;
  families: GenerationFamilies;
}

type Payload = JobPayload<'generate_experience'> & GenerationRequest;

/** The handler of `generate_<family>`. */
export function runGenerate<F extends GeneratedFamily>(
  deps: GenerateDeps,
  family: F,
): JobHandler<`generate_${F}`> {
  return (job, payload, { signal }) => run(deps, job, family, payload, signal);
}

/**
 * Reads the evidence on one snapshot, generates outside of any transaction, and commits Candidate and result in one (spec 40
 * §2.1.3).
 */
async function run(
  deps: GenerateDeps,
  job: ClaimedJob,
  family: GeneratedFamily,
  payload: Payload,
  signal: AbortSignal,
): Promise<void> {
  const { database, logger, families } = deps;
  const { generation } = families[family];
  const read = await database.prismaSnapshot((snapshot) => readWork(deps, snapshot, job, family, payload));
  if ('earlier' in read) return await finishJob(database.sql, job, read.earlier);
  const work = { tenantId: job.tenantId, scope: { scopeId: payload.scope_id }, purpose: generation.purpose };
  const onUsage = countGenerations({ sql: database.sql, logger }, work);
  const proposed = await runGenerator(() =>
    generation.generate(deps, { request: payload, ...read, signal, onUsage }),
  );
  if (proposed === null) return await finishJob(database.sql, job, noOp);
  await database.prismaTransaction(async (transaction) => {
    const candidate = await propose(deps, transaction, job, payload, proposed);
    await commitFinishedJob(transaction.sql, job, pendingOf(candidate));
  });
}

/** Reads the evidence, or the Candidate that an earlier job of the same key has made since this job was written. */
async function readWork(
  { families }: GenerateDeps,
  queries: Queries,
  job: ClaimedJob,
  family: GeneratedFamily,
  payload: Payload,
): Promise<ReadEvidence | { earlier: Generated }> {
  const earlier = await findPendingResult(queries, job.tenantId, requireWorkKey(job));
  if (earlier !== undefined) return { earlier };
  return await readEvidence(queries, families, placeOf(job, payload), family, payload);
}

/** Checks the evidence again and writes version 1. */
async function propose(
  { clock, families }: GenerateDeps,
  transaction: PrismaTransaction,
  job: ClaimedJob,
  payload: Payload,
  proposed: Proposed,
): Promise<Candidate> {
  const place = placeOf(job, payload);
  const { source_refs, artifact_refs, target, reason, candidate_id: candidateId, actor } = payload;
  const evidence = { source_refs, artifact_refs, target, reason };
  await checkEvidence(transaction, place, families[proposed.family].candidates, evidence);
  return await createCandidate(transaction, {
    tenantId: job.tenantId,
    scopeKey: await requireScopeKey(transaction.sql, place),
    candidateId,
    origin: 'generated',
    workKey: requireWorkKey(job),
    proposed,
    evidence: distinctEvidence(evidence),
    actor,
    at: clock.now(),
  });
}

function placeOf({ tenantId }: ClaimedJob, { scope_id: scopeId }: Payload): EvidencePlace {
  return { tenantId, scopeId };
}

/** Runs a generator. Throws 503 `inference_unavailable` or `inference_timeout` if its model fails. */
export async function runGenerator<Content>(generate: () => Promise<Content>): Promise<Content> {
  try {
    return await generate();
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    throw inferenceFailed(error, 'No Candidate was made; ask again.');
  }
}
