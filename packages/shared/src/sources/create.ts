import { asDigest, newId, type ScopeKey, type Sql, type TenantId } from '@continuity/shared/kernel';
import { appendSource, type FlushDelay } from './append.ts';
import type { WrittenContent } from './bodies/index.ts';

export interface SourceToCreate {
  tenantId: TenantId;
  scopeId: string;
  content: WrittenContent;
  /** False for the request of an Artifact write, which is not evidence (spec 10 §6.1.4). */
  eligible: boolean;
}

export interface CreatedSource {
  scopeKey: ScopeKey;
  sourceId: string;
  position: number;
  contentDigest: string;
}

/** Writes a Source of type `content` with a server-generated id, in the caller's transaction. */
export async function createSource(
  sql: Sql,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const { canonical, digest } = source.content;
  const sourceId = newId();
  const appended = await appendSource(
    sql,
    {
      tenantId: source.tenantId,
      scopeId: source.scopeId,
      sourceType: 'content',
      sourceId,
      content: canonical,
      contentDigest: Buffer.from(digest, 'hex'),
      metadata: null,
      eligible: source.eligible,
      record: source.eligible ? null : 'artifact-write',
    },
    delay,
  );
  const { scopeKey, position } = appended.source;
  return { scopeKey, sourceId, position, contentDigest: asDigest(digest) };
}
