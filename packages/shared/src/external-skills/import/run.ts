import type { JobPayload } from '@continuity/contract';
import type { PrismaTransaction } from '@continuity/kernel/database';
import { InvalidPackageError, type SkillPackage } from '@continuity/skill-packages';
import { findPendingResult, noOp, pendingOf, runGenerator } from '../../generation/index.ts';
import {
  type ClaimedJob,
  commitFinishedJob,
  finishJob,
  type JobHandler,
  requireWorkKey,
} from '../../jobs/index.ts';
import { createCandidate } from '../../review/index.ts';
import { requireScopeKey } from '../../scopes/index.ts';
import { contentOf, proposedSkill, storePackage } from '../../skills/index.ts';
import { appendUnderId } from '../../sources/index.ts';
import { countGenerations } from '../../usage/index.ts';
import type { ImportDeps } from '../deps.ts';
import {
  appendSnapshot,
  type CapturedSkill,
  captureSkill,
  importRefused,
  snapshotSourceId,
  snapshotSourceType,
  withFiles,
} from './capture.ts';

type Payload = JobPayload<'import_external_skill'>;

/**
 * The handler of `import_external_skill` (spec 40 §7.4). Copies the package, and generates another one for a fork, outside of any
 * transaction. Then commits package, Source and Candidate together.
 */
export function runImportExternalSkill(deps: ImportDeps): JobHandler<'import_external_skill'> {
  return async (job, payload, { signal }) => {
    const { database } = deps;
    const earlier = await findPendingResult(database, job.tenantId, requireWorkKey(job));
    if (earlier !== undefined) return await finishJob(database.sql, job, earlier);
    const captured = await captureSkill(deps, job, payload);
    const proposed =
      payload.mode === 'import' ? captured.snapshot : await fork(deps, job, payload, captured, signal);
    if (proposed === null) return await finishJob(database.sql, job, noOp);
    await appendUnderId(() =>
      database.prismaTransaction((transaction) =>
        commit(deps, transaction, job, payload, captured, proposed),
      ),
    );
  };
}

async function fork(
  { database, logger, readers, skill }: ImportDeps,
  { tenantId }: ClaimedJob,
  { scope_id: scopeId }: Payload,
  { snapshot }: CapturedSkill,
  signal: AbortSignal,
): Promise<SkillPackage | null> {
  const use = { tenantId, scope: { scopeId }, purpose: 'skill_generation' } as const;
  const onUsage = countGenerations({ sql: database.sql, logger }, use);
  const rename = async (name: string) => {
    const renamed = await readers.rename(tenantId, snapshot.archive, name);
    if ('reason' in renamed) throw new InvalidPackageError(renamed.reason, renamed.message, renamed);
    return withFiles(renamed);
  };
  try {
    return await runGenerator(() => skill.fork({ snapshot, rename, signal, onUsage }));
  } catch (error) {
    if (error instanceof InvalidPackageError) throw importRefused(error);
    throw error;
  }
}

async function commit(
  { clock }: ImportDeps,
  transaction: PrismaTransaction,
  job: ClaimedJob,
  payload: Payload,
  { registration, snapshot }: CapturedSkill,
  proposed: SkillPackage,
): Promise<void> {
  const { tenantId } = job;
  const { scope_id: scopeId, mode, reason, candidate_id: candidateId, actor } = payload;
  const place = { tenantId, scopeKey: await requireScopeKey(transaction.sql, { tenantId, scopeId }) };
  // Before the lock on the Sources of the Scope, because storing a large package takes 0.1 s.
  await storePackage(transaction, place, snapshot);
  await appendSnapshot(transaction, { tenantId, scopeId }, { registration, package: snapshot.ref, mode });
  const candidate = await createCandidate(transaction, {
    ...place,
    candidateId,
    origin: mode === 'import' ? 'imported' : 'forked',
    workKey: requireWorkKey(job),
    proposed: proposedSkill({
      content: contentOf(proposed),
      package: proposed,
      isStored: proposed === snapshot,
    }),
    evidence: {
      source_refs: [{ name: snapshotSourceType, source_id: snapshotSourceId({ registration, mode }) }],
      artifact_refs: [],
      target: null,
      reason,
    },
    actor,
    at: clock.now(),
  });
  await commitFinishedJob(transaction.sql, job, pendingOf(candidate));
}
