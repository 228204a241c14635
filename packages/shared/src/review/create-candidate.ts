import type { CandidateFamily } from '@continuity/contract';
import type {
  Actor,
  Candidate,
  CandidateOrigin,
  CandidateStatus,
  Evidence,
} from '@continuity/contract/review';
import type { SkillPackageRef } from '@continuity/contract/skills';
import { isBlank } from '@continuity/contract/text';
import {
  type PrismaTransaction,
  type Queries,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
} from '@continuity/kernel/database';
import { canonicalJson } from '@continuity/kernel/json';
import { excerptOf } from '@continuity/kernel/text';
import { presentVersion } from './candidate.ts';
import type { Proposed, ScopePlace } from './family.ts';

/** A Candidate to create. */
export interface NewCandidate {
  tenantId: TenantId;
  /** The Scope exists. */
  scopeKey: ScopeKey;
  /** From `newId()`. */
  candidateId: string;
  origin: CandidateOrigin;
  /** Identifies equal generations (spec 40 §2.1); null for what is not generated or imported. */
  workKey: Buffer | null;
  proposed: Proposed;
  /** Without duplicates (`distinctEvidence`), and checked by `checkEvidence` in this transaction. */
  evidence: Evidence;
  /** Null if the token has no label, or if no caller requested the Candidate. */
  actor: Actor | null;
  at: Date;
}

/**
 * Writes version 1 of a Candidate, pending, in the caller's transaction: head, version, package and counters. It locks the
 * counters, so call it last. Throws a unique violation:
 *
 * - of the primary key if the Candidate exists;
 * - of `candidates_work_key` if an equal generation has a Candidate pending at version 1. `findPendingOfWork` finds it.
 */
export async function createCandidate(
  transaction: PrismaTransaction,
  { tenantId, scopeKey, candidateId, origin, workKey, proposed, evidence, actor, at }: NewCandidate,
): Promise<Candidate> {
  const { prisma, sql } = transaction;
  const { family } = proposed;
  const {
    proposal,
    package: pack,
    ...shown
  } = await storeProposal(transaction, { tenantId, scopeKey }, proposed);
  const { source_refs: sourceRefs, artifact_refs: artifactRefs, target, reason } = evidence;
  const head = await prisma.candidate.create({
    data: {
      tenantId,
      candidateId,
      scopeKey,
      family,
      origin,
      // A copy, because Prisma takes no bytes that threads may share.
      workKey: workKey && Buffer.from(workKey),
      targetId: target?.artifact_id ?? null,
      targetRevision: target?.revision ?? null,
      ...shown,
      ...(pack !== null && { package: pack }),
      sourceCount: sourceRefs.length,
      artifactCount: artifactRefs.length,
      createdAt: at,
      updatedAt: at,
    },
  });
  const version = { version: 1, proposal, sourceRefs, artifactRefs, reason };
  await prisma.candidateVersion.create({
    data: { tenantId, candidateId, ...version, actor: actor?.label ?? null, createdAt: at },
    select: { version: true },
  });
  await countCandidates(sql, { tenantId, scopeKey, family, origin }, { pending: 1 });
  return presentVersion(head, version);
}

/** Columns of a proposal: the proposal itself, and its summary for lists. */
interface ProposalColumns {
  /** Canonical JSON. */
  proposal: string;
  title: string;
  package: SkillPackageRef | null;
  executableCount: number | null;
}

/** Returns the columns of a proposal, and stores in the caller's transaction what it refers to. */
export async function storeProposal(
  queries: Queries,
  place: ScopePlace,
  proposed: Proposed,
): Promise<ProposalColumns> {
  await proposed.store(queries, place);
  return {
    proposal: canonicalJson(proposed.content),
    title: titleOf(proposed.title),
    package: proposed.package?.ref ?? null,
    executableCount: proposed.package?.executableCount ?? null,
  };
}

/** Limit of a title, in code points (spec 40 §4). */
const maxTitle = 240;

/** The first line that is not blank, as an excerpt of `maxTitle` code points. */
export function titleOf(text: string): string {
  const firstLine = text.split(/[\n\r\u2028\u2029]/).find((line) => !isBlank(line));
  return excerptOf(firstLine ?? '', maxTitle);
}

/** The counters of one kind of Candidate in a Scope: one for each status. */
interface CountedKind {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  family: CandidateFamily;
  origin: CandidateOrigin;
}

/** Locks the counters in ascending order of the status, so that two writers lock them in the same order. */
const countStatement = statement(
  'count_candidates',
  `INSERT INTO candidate_counts AS c (tenant_id, scope_key, family, origin, status, candidates)
   SELECT $1, $2, $3, $4, status, delta FROM unnest($5::text[], $6::int[]) AS moved(status, delta) ORDER BY status
   ON CONFLICT (tenant_id, scope_key, status, family, origin) DO UPDATE SET candidates = c.candidates + excluded.candidates`,
);

/**
 * Adds to the counters of Candidates. Counters are locked until the transaction ends, so this is its last statement.
 * `deltas` has the change of each status.
 */
export async function countCandidates(
  sql: Sql,
  { tenantId, scopeKey, family, origin }: CountedKind,
  deltas: Partial<Record<CandidateStatus, number>>,
): Promise<void> {
  const values = [tenantId, scopeKey, family, origin, Object.keys(deltas), Object.values(deltas)];
  await sql.rows(countStatement, values);
}
