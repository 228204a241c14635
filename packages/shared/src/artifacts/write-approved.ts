import type { ArtifactRef, Family } from '@continuity/contract';
import type { PrismaTransaction, ScopeKey } from '@continuity/kernel/database';
import { ensureSourceSequence, recordArtifactWrite, writeContent } from '../sources/index.ts';
import type { DocumentHead, PreparedRevision } from './document.ts';
import type { Lineage, NewArtifact, ScopeAddress } from './family.ts';
import { lockHead, requireHead } from './store.ts';

/** An approved proposal to write. */
export interface Approved extends ScopeAddress {
  scopeKey: ScopeKey;
  family: Family;
  prepared: PreparedRevision;
  /** The head to replace; null for a new Artifact. */
  target: ArtifactRef | null;
  /** The evidence of the proposal. */
  evidence: Lineage;
}

/**
 * Writes an approved proposal in the caller's transaction: revision, system Source, search projection and the further rows of its
 * Family (spec 40 §4). Locks in the order of every writer: the Scope's row in `source_sequences`, the head, the rows of the Family.
 * Throws 409 `artifact_conflict` if the target is not the head, and the errors of the Family.
 */
export async function writeApproved(
  transaction: PrismaTransaction,
  { tenantId, scopeId, scopeKey, family, prepared, target, evidence }: Approved,
): Promise<ArtifactRef> {
  const { sql } = transaction;
  const content = writeContent(prepared.content);
  const [, { source }] = await Promise.all([
    ensureSourceSequence(sql, tenantId, scopeKey),
    recordArtifactWrite(sql, { tenantId, scopeId, content }),
  ]);
  const place = { tenantId, scopeId, scopeKey, source };
  const { artifactId, revision } =
    target === null
      ? await prepared.writeFirst(transaction, place, evidence)
      : await prepared.writeNext(transaction, await lockTarget(transaction, place, target), source, evidence);
  return { family, artifact_id: artifactId, revision };
}

/** Locks the Artifact of a target. Throws 409 `artifact_conflict` if the target is not its head. */
async function lockTarget(
  { sql, prisma }: PrismaTransaction,
  { tenantId, scopeId, scopeKey }: NewArtifact,
  target: ArtifactRef,
): Promise<DocumentHead> {
  const { family, artifact_id: artifactId, revision } = target;
  const { artifactKey } = await prisma.artifact.findUniqueOrThrow({
    where: { tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId } },
  });
  const head = { tenantId, scopeId, scopeKey, artifactId, artifactKey, revision, artifacts: [] };
  requireHead(target, await lockHead(sql, head));
  return head;
}
