import type { CandidateFamily, JobPayload } from '@continuity/contract';
import type { Candidate, Generated } from '@continuity/contract/review';
import type { UsePurpose } from '@continuity/contract/usage';
import type { PrismaTransaction, Queries } from '@continuity/kernel/database';
import type { EvidencePlace } from '../evidence/index.ts';
import {
  type ClaimedJob,
  commitFinishedJob,
  finishJob,
  type JobHandler,
  requireWorkKey,
} from '../jobs/index.ts';
import { checkEvidence, createCandidate, distinctEvidence, type ProposedContent } from '../review/index.ts';
import { requireScopeKey } from '../scopes/index.ts';
import { contentOf } from '../skills/index.ts';
import { countGenerations } from '../usage/index.ts';
import type { GenerateDeps } from './deps.ts';
import { type ReadEvidence, readEvidence } from './evidence/read-evidence.ts';
import { findPendingResult, noOp, pendingOf } from './results.ts';
import { runGenerator } from './run-generator.ts';

type Payload = JobPayload<'generate_experience'>;
type SkillPayload = JobPayload<'generate_skill'>;

/** One generation: its request, and how it makes its content. */
interface Generation {
  family: CandidateFamily;
  payload: Payload;
  origin: SkillPayload['origin'] | null;
  generate(evidence: ReadEvidence): Promise<ProposedContent | null>;
}

/** The handler of `generate_experience`. */
export function runGenerateExperience(deps: GenerateDeps): JobHandler<'generate_experience'> {
  return async (job, payload, { signal }) => {
    const onUsage = usageOf(deps, job, payload, 'experience_generation');
    const generate = async ({ pieces, experience: target }: ReadEvidence) => {
      const content = await deps.experience.generate({ pieces, target, signal, onUsage });
      return content && { family: 'experience' as const, content };
    };
    await run(deps, job, { family: 'experience', payload, origin: null, generate });
  };
}

/** The handler of `generate_skill`. */
export function runGenerateSkill(deps: GenerateDeps): JobHandler<'generate_skill'> {
  return async (job, payload, { signal }) => {
    const { origin } = payload;
    const onUsage = usageOf(deps, job, payload, 'skill_generation');
    const generate = async ({ pieces, skill: target }: ReadEvidence) => {
      const built = await deps.skill.generate({ origin, pieces, target, signal, onUsage });
      return (
        built && {
          family: 'skill' as const,
          skill: { content: contentOf(built), package: built, isStored: false },
        }
      );
    };
    await run(deps, job, { family: 'skill', payload, origin, generate });
  };
}

/**
 * Reads the evidence on one snapshot, generates outside of any transaction, and commits Candidate and result in one (spec 40
 * §2.1.3).
 */
async function run(deps: GenerateDeps, job: ClaimedJob, generation: Generation): Promise<void> {
  const { database } = deps;
  const read = await database.prismaSnapshot((snapshot) => readWork(snapshot, job, generation));
  if ('earlier' in read) return await finishJob(database.sql, job, read.earlier);
  const proposed = await runGenerator(() => generation.generate(read));
  if (proposed === null) return await finishJob(database.sql, job, noOp);
  await database.prismaTransaction(async (transaction) => {
    const candidate = await propose(deps, transaction, job, generation, proposed);
    await commitFinishedJob(transaction.sql, job, pendingOf(candidate));
  });
}

/** Reads the evidence, or the Candidate that an earlier job of the same key has made since this job was written. */
async function readWork(
  queries: Queries,
  job: ClaimedJob,
  { family, payload, origin }: Generation,
): Promise<ReadEvidence | { earlier: Generated }> {
  const earlier = await findPendingResult(queries, job.tenantId, requireWorkKey(job));
  if (earlier !== undefined) return { earlier };
  return await readEvidence(queries, placeOf(job, payload), family, payload, origin);
}

/** Checks the evidence again and writes version 1. */
async function propose(
  { clock }: GenerateDeps,
  transaction: PrismaTransaction,
  job: ClaimedJob,
  { family, payload }: Generation,
  proposed: ProposedContent,
): Promise<Candidate> {
  const place = placeOf(job, payload);
  const { source_refs, artifact_refs, target, reason, candidate_id: candidateId, actor } = payload;
  const evidence = { source_refs, artifact_refs, target, reason };
  await checkEvidence(transaction, place, family, evidence);
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

function usageOf({ database, logger }: GenerateDeps, job: ClaimedJob, payload: Payload, purpose: UsePurpose) {
  const work = { tenantId: job.tenantId, scope: { scopeId: payload.scope_id }, purpose };
  return countGenerations({ sql: database.sql, logger }, work);
}

function placeOf({ tenantId }: ClaimedJob, { scope_id: scopeId }: Payload): EvidencePlace {
  return { tenantId, scopeId };
}
