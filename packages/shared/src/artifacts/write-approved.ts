import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type { ExperienceContent } from '@continuity/contract/experience';
import type { PrismaTransaction, ScopeKey, TenantId } from '@continuity/kernel/database';
import type { DecidedSkill } from '../skills/index.ts';
import { ensureSourceSequence, recordArtifactWrite, writeContent } from '../sources/index.ts';
import { createDocument, type Document, type DocumentHead, replaceDocument } from './families/document.ts';
import { experienceDocument } from './families/experience.ts';
import { createSkill, replaceSkill, skillDocument } from './families/skill.ts';
import type { Lineage, NewArtifact, ScopeAddress, WrittenRevision } from './family.ts';
import { requireHead } from './require-head.ts';
import { lockHead } from './store.ts';

/** The proposed content of a Family; for a Skill with its package. */
export type ProposedContent =
  | { family: 'experience'; content: ExperienceContent }
  | { family: 'skill'; skill: DecidedSkill };

/** An approved proposal to write. */
export interface Approved {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
  proposed: ProposedContent;
  /** `proposed`, as `approvedDocument` prepares it. */
  document: Document;
  /** The head to replace; null for a new Artifact. */
  target: ArtifactRef | null;
  /** The evidence of the proposal. */
  evidence: Lineage;
}

/** Prepares a proposal for its rows. A long one takes a second: call it before a lock is taken. */
export function approvedDocument(scope: ScopeAddress, proposed: ProposedContent): Promise<Document> {
  return proposed.family === 'skill'
    ? skillDocument(scope, proposed.skill)
    : experienceDocument(scope, proposed.content);
}

/**
 * Writes an approved proposal in the caller's transaction: revision, system Source, search projection and, for a Skill, its
 * governance (spec 40 §4). Locks in the order of every writer: the Scope's row in `source_sequences`, the head, the governance.
 * Throws 409 `artifact_conflict` if the target is not the head, and 409 `governance_conflict` for a retired Skill.
 */
export async function writeApproved(
  transaction: PrismaTransaction,
  { tenantId, scopeId, scopeKey, proposed, document, target, evidence }: Approved,
): Promise<ArtifactRef> {
  const { sql } = transaction;
  const content = writeContent(document.content);
  const [, { source }] = await Promise.all([
    ensureSourceSequence(sql, tenantId, scopeKey),
    recordArtifactWrite(sql, { tenantId, scopeId, content }),
  ]);
  const place = { tenantId, scopeId, scopeKey, source };
  const written =
    target === null
      ? await writeFirst(transaction, place, { proposed, document }, evidence)
      : await writeNext(
          transaction,
          await lockTarget(transaction, place, target),
          source,
          { proposed, document },
          evidence,
        );
  return { family: proposed.family, artifact_id: written.artifactId, revision: written.revision };
}

function writeFirst(
  transaction: PrismaTransaction,
  artifact: NewArtifact,
  { proposed, document }: Pick<Approved, 'proposed' | 'document'>,
  evidence: Lineage,
): Promise<WrittenRevision> {
  return proposed.family === 'skill'
    ? createSkill(transaction, artifact, proposed.skill, document, evidence)
    : createDocument(transaction, artifact, document, evidence);
}

function writeNext(
  transaction: PrismaTransaction,
  head: DocumentHead,
  source: SourceTypeRef,
  { proposed, document }: Pick<Approved, 'proposed' | 'document'>,
  evidence: Lineage,
): Promise<WrittenRevision> {
  return proposed.family === 'skill'
    ? replaceSkill(transaction, head, source, proposed.skill, document, evidence)
    : replaceDocument(transaction, head, source, document, evidence);
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
