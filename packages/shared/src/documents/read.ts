import type { ArtifactRef, SearchedFamily, SourceRef, SourceTypeRef } from '@continuity/contract';
import type { ArtifactKey, Queries, ScopeKey, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { presentArtifactRef, toSourceRef } from '../evidence/index.ts';
import { findScopeKey } from '../scopes/index.ts';

/** The names by which a caller finds one revision. */
interface DocumentAddress {
  tenantId: TenantId;
  scopeId: string;
  family: SearchedFamily;
  artifact: ArtifactRef;
}

/** A revision with the evidence that it was made from (spec 40 §3). */
interface StoredDocument {
  scopeKey: ScopeKey;
  artifactKey: ArtifactKey;
  headRevision: number;
  /** Canonical JSON. */
  content: string;
  source_refs: SourceRef[];
  artifact_refs: ArtifactRef[];
}

/**
 * Reads exactly the named revision, current or not. Throws 404 `artifact_not_found`, alike for an unknown one, one of another Scope
 * and one of another Family.
 */
export async function requireDocument(queries: Queries, address: DocumentAddress): Promise<StoredDocument> {
  const document = await findDocument(queries, address);
  if (document === undefined) throw serviceError('artifact_not_found');
  return document;
}

async function findDocument(
  { sql, prisma }: Queries,
  { tenantId, scopeId, family, artifact }: DocumentAddress,
): Promise<StoredDocument | undefined> {
  if (artifact.family !== family) return undefined;
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) return undefined;
  const head = await prisma.artifact.findUnique({
    where: {
      tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId: artifact.artifact_id },
    },
  });
  // A requested number may be larger than the column can hold.
  if (head === null || artifact.revision > head.headRevision) return undefined;
  const key = { tenantId, artifactKey: head.artifactKey, revision: artifact.revision };
  const row = await prisma.artifactRevision.findUnique({
    where: { tenantId_artifactKey_revision: key },
    select: { content: true, sources: true, artifacts: true },
  });
  if (row === null || row.content === null) return undefined;
  const { artifactKey, headRevision } = head;
  return { scopeKey, artifactKey, headRevision, content: row.content, ...evidenceOf(row) };
}

/** The evidence of a revision: its Sources but for the first, which records how it was written, and its Artifacts. */
export function evidenceOf({
  sources,
  artifacts,
}: {
  sources: unknown;
  artifacts: unknown;
}): Pick<StoredDocument, 'source_refs' | 'artifact_refs'> {
  const [, ...evidence] = (sources ?? []) as SourceTypeRef[];
  return {
    source_refs: evidence.map(toSourceRef),
    artifact_refs: ((artifacts ?? []) as ArtifactRef[]).map(presentArtifactRef),
  };
}
