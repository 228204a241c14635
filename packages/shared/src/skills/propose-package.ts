import type { ArtifactRef } from '@continuity/contract';
import { citeArtifact } from '@continuity/contract/evidence';
import type { UploadedCandidate } from '@continuity/contract/review';
import type { Database, PrismaTransaction } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import type { Clock } from '@continuity/kernel/process';
import { newId } from '@continuity/kernel/text';
import type { Caller } from '@continuity/shared/handlers';
import { readArchive } from '@continuity/skill-packages';
import { findEvidence } from '../evidence/index.ts';
import { checkEvidence, createCandidate, proposeOnce } from '../review/index.ts';
import { ensureScope } from '../scopes/index.ts';
import { appendSource, appendUnderId, serviceSource } from '../sources/index.ts';
import { contentOf, proposedSkill } from './content.ts';
import { skillTarget } from './managed-skills.ts';
import { storePackage } from './package-store.ts';
import type { UploadedPackage } from './threads/package-thread.ts';
import type { PackageThreads } from './threads/package-threads.ts';

const sourceType = 'skill-package-upload';

/** An uploaded package. */
interface PackageUpload {
  scope_id: string;
  archive_base64: string;
  reason: string | null;
  target: ArtifactRef | null;
}

interface UploadDeps {
  database: Database;
  clock: Clock;
  packageThreads: PackageThreads;
}

/**
 * Stores an uploaded package, the Source that records it, and a Candidate, in one transaction (spec 40 §6.8). Throws 422 with
 * `package_error` before it reads anything, 409 `candidate_conflict` for a used key, and the errors of the target.
 */
export async function proposePackage(
  { database, clock, packageThreads }: UploadDeps,
  { tenantId, actor }: Caller,
  { scope_id: scopeId, archive_base64, ...rest }: PackageUpload,
  key: string | undefined,
): Promise<UploadedCandidate> {
  const opened = await packageThreads.open(tenantId, archive_base64);
  // Two requests with one Source: the second one finds it.
  const candidate = await appendUnderId(() =>
    proposeOnce(database, {
      tenantId,
      scopeId,
      operation: 'propose_skill_package',
      key,
      // Equal for equal bodies alone: base64 has one spelling.
      body: { scope_id: scopeId, archive: opened.uploadDigest, ...rest },
      write: async (transaction) => {
        if (rest.target !== null) await checkUploadTarget(transaction, { tenantId, scopeId }, rest.target);
        const scopeKey = await ensureScope(transaction.sql, tenantId, scopeId);
        const place = { tenantId, scopeKey };
        // Before the Source sequence is locked: a large package takes a tenth of a second.
        await storePackage(transaction, place, opened);
        const sourceId = await appendUpload(transaction, { tenantId, scopeId }, opened);
        const skill = {
          content: contentOf(opened),
          package: { ...opened, files: readArchive(opened.archive) },
          isStored: true,
        };
        const candidate = await createCandidate(transaction, {
          ...place,
          candidateId: newId(),
          origin: 'uploaded',
          workKey: null,
          proposed: proposedSkill(skill),
          evidence: {
            source_refs: [{ name: sourceType, source_id: sourceId }],
            artifact_refs: rest.target === null ? [] : [rest.target],
            ...rest,
          },
          actor,
          at: clock.now(),
        });
        return { scopeKey, candidate };
      },
    }),
  );
  // Equal for a repeat, whose archive is equal.
  return { ...candidate, adjusted: opened.adjusted };
}

type UploadPlace = Pick<Caller, 'tenantId'> & { scopeId: string };

async function checkUploadTarget(
  transaction: PrismaTransaction,
  place: UploadPlace,
  target: ArtifactRef,
): Promise<void> {
  const citation = citeArtifact(target);
  const found = await findEvidence(transaction.sql, place, [citation]);
  if (!found.isReadable(citation)) {
    throw invalidRequest([{ path: 'target', message: 'must exist in this Scope' }]);
  }
  const evidence = { source_refs: [], artifact_refs: [target], target, reason: null };
  await checkEvidence(transaction, place, skillTarget, evidence);
}

/** Captures the Source of an upload, once for each tree and Scope. Returns its id. */
async function appendUpload(
  { sql }: PrismaTransaction,
  place: UploadPlace,
  { ref }: UploadedPackage,
): Promise<string> {
  const sourceId = `skill_pkg_${ref.tree_digest}`;
  const fields = { schema: 'service.skill-package-upload.v1', package: ref };
  await appendSource(sql, serviceSource(place, sourceType, sourceId, fields), null);
  return sourceId;
}
