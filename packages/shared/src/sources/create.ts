import type { SourceTypeRef } from '@continuity/contract';
import type { Database, ScopeKey, Sql, TenantId } from '@continuity/kernel/database';
import { digestFromBytes } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { appendAlone, appendSource } from './append.ts';
import type { Appended, FlushDelay } from './append-statements.ts';
import type { WrittenContent } from './bodies/index.ts';
import type { NewSource } from './new-source.ts';

interface SourceToCreate {
  tenantId: TenantId;
  scopeId: string;
  content: WrittenContent;
}

export interface CreatedSource {
  scopeKey: ScopeKey;
  sourceId: string;
  position: number;
  /** The contract's `digest` form. */
  contentDigest: string;
}

/** Writes a Source of type `content` with a server-generated id, in the caller's transaction. */
export async function createSource(
  sql: Sql,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const written = toSource(source, null);
  return toCreated(written, await appendSource(sql, written, delay));
}

/** As `createSource`, in its own transaction; a single statement if the Scope has a sequence. */
export async function createSourceAlone(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const written = toSource(source, null);
  return toCreated(written, await appendAlone(database, written, delay));
}

/**
 * Writes the system Source of an Artifact write, which holds the request, in the caller's transaction. It is not evidence (spec 10
 * §6.1.4).
 */
export async function recordArtifactWrite(
  sql: Sql,
  write: SourceToCreate,
): Promise<{ scopeKey: ScopeKey; source: SourceTypeRef }> {
  const written = toSource(write, 'artifact-write');
  const { source } = await appendSource(sql, written, null);
  return {
    scopeKey: source.scopeKey,
    source: { source_type: written.sourceType, source_id: written.sourceId },
  };
}

function toSource(
  { tenantId, scopeId, content }: SourceToCreate,
  record: 'artifact-write' | null,
): NewSource {
  return {
    tenantId,
    scopeId,
    sourceType: 'content',
    sourceId: newId(),
    content: content.canonical,
    contentDigest: Buffer.from(content.digest, 'hex'),
    metadata: null,
    eligible: record === null,
    record,
  };
}

function toCreated({ sourceId, contentDigest }: NewSource, { source }: Appended): CreatedSource {
  const { scopeKey, position } = source;
  return { scopeKey, sourceId, position, contentDigest: digestFromBytes(contentDigest) };
}
