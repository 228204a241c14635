import {
  type ArtifactRef,
  type CandidateFamily,
  candidateFamilies,
  familyCatalog,
} from '@continuity/contract';
import { citationKey, citeArtifact } from '@continuity/contract/evidence';
import type { Actor, Candidate, Evidence, ProposalInput } from '@continuity/contract/review';
import type { Database } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { type CandidateAddress, findHead, presentVersion, targetOf } from './candidate.ts';
import { storeProposal } from './create-candidate.ts';
import { checkEvidence, distinctEvidence } from './evidence.ts';
import type { CandidateFamilies } from './family.ts';
import { lockPending, requirePending } from './pending.ts';

/** A replacement of everything that a Candidate holds, but its Family and target. */
interface Revision {
  address: CandidateAddress;
  expectedVersion: number;
  proposal: ProposalInput;
  /** As sent. */
  evidence: Evidence;
  actor: Actor | null;
  at: Date;
}

/**
 * Appends a version to a pending Candidate (spec 40 §4). Throws, in this order: 422 for the body, 404, 409
 * `candidate_terminal` and `candidate_conflict`, 422 for another Family or target, and the errors of evidence and package.
 */
export async function reviseCandidate(
  { database, families }: { database: Database; families: CandidateFamilies },
  { address, expectedVersion, proposal, evidence, actor, at }: Revision,
): Promise<Candidate> {
  const family = familyOf(proposal);
  const rules = families[family].candidates;
  rules.check(proposal);
  const distinct = distinctEvidence(evidence);
  const head = await findHead(database, address);
  requirePending(head, expectedVersion);
  return database.prismaTransaction(async (transaction) => {
    const { prisma, sql } = transaction;
    await lockPending(sql, address, expectedVersion);
    if (family !== head.family) {
      throw invalidRequest([
        { path: 'proposal', message: `must be the content of a Candidate of the Family ${head.family}` },
      ]);
    }
    requireSameTarget(targetOf(head), evidence.target);
    await checkEvidence(transaction, address, rules, evidence);
    const { tenantId, candidateId, scopeKey } = head;
    const place = { tenantId, scopeKey };
    const proposed = await rules.decide(transaction, place, proposal);
    const { proposal: stored, package: pack, ...shown } = await storeProposal(transaction, place, proposed);
    const { source_refs: sourceRefs, artifact_refs: artifactRefs, reason } = distinct;
    const version = expectedVersion + 1;
    const row = { version, proposal: stored, sourceRefs, artifactRefs, reason };
    await prisma.candidateVersion.create({
      data: { tenantId, candidateId, ...row, actor: actor?.label ?? null, createdAt: at },
      select: { version: true },
    });
    await prisma.candidate.update({
      where: { tenantId_candidateId: { tenantId, candidateId } },
      data: {
        version,
        ...shown,
        ...(pack !== null && { package: pack }),
        sourceCount: sourceRefs.length,
        artifactCount: artifactRefs.length,
        updatedAt: at,
      },
      select: { version: true },
    });
    return presentVersion(head, row);
  });
}

/** The first Family whose content has all fields of a proposal. Some Family has, because the shape of the request is their union. */
function familyOf(proposal: ProposalInput): CandidateFamily {
  const fields = Object.keys(proposal);
  const found = candidateFamilies.find((family) => {
    const { shape } = familyCatalog[family].createContent;
    return fields.every((field) => field in shape);
  });
  if (found === undefined) throw new Error('A proposal is of no Family.');
  return found;
}

function requireSameTarget(expected: ArtifactRef | null, sent: ArtifactRef | null): void {
  const isSame =
    expected === null || sent === null
      ? expected === sent
      : citationKey(citeArtifact(expected)) === citationKey(citeArtifact(sent));
  if (isSame) return;
  const message =
    expected === null
      ? 'must be null, as the Candidate has no target'
      : 'must be the target of the Candidate';
  throw invalidRequest([{ path: 'target', message }]);
}
