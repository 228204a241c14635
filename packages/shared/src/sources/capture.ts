import type { SourceRef, SourceTypeRef } from '@continuity/contract';
import type { Database, ScopeKey, Sql, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { canonicalJson, digestFromBytes, hashBytes, type JsonObject } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { contentRef } from '../evidence/index.ts';
import { type Appended, appendAlone, appendSource, type FlushDelay } from './append.ts';
import type { PreparedCapture, WrittenContent } from './bodies/index.ts';
import type { NewSource } from './source.ts';

/**
 * Stores content under the caller's id and returns its position. Idempotent: an equal repeat writes nothing and returns the first
 * position. Throws 409 `source_conflict` for different content.
 */
export async function captureContent(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  tenantId: TenantId,
  capture: PreparedCapture,
  delay: FlushDelay | null,
): Promise<number> {
  const appended = await appendAlone(database, toSource(tenantId, capture), delay);
  if (appended.outcome === 'exists' && !appended.source.isEqual) {
    throw sourceConflict(contentRef(capture.source_id), appended.source);
  }
  return appended.source.position;
}

function toSource(
  tenantId: TenantId,
  { scope_id, source_id, content, metadata, projection, occurred_at }: PreparedCapture,
): NewSource {
  return {
    tenantId,
    scopeId: scope_id,
    sourceType: 'content',
    sourceId: source_id,
    content: content.canonical,
    contentDigest: Buffer.from(content.digest, 'hex'),
    metadata,
    occurredAt: occurred_at,
    eligible: true,
    record: null,
    projection,
  };
}

/** 409 with position and digest of the stored Source (spec 10 §8). */
export function sourceConflict(
  source: SourceRef,
  existing: { position: number; contentDigest: Buffer },
): ServiceError {
  return serviceError('source_conflict', {
    message: 'This source_id is in use for different content. Send the content under another source_id.',
    details: {
      current: {
        source,
        position: existing.position,
        content_digest: digestFromBytes(existing.contentDigest),
      },
    },
  });
}

interface SourceToCreate {
  tenantId: TenantId;
  scopeId: string;
  content: WrittenContent;
  occurredAt?: string | null;
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
  const written = toNewSource(source, null);
  return toCreated(written, await appendSource(sql, written, delay));
}

/** As `createSource`, in its own transaction; a single statement if the Scope has a sequence. */
export async function createSourceAlone(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const written = toNewSource(source, null);
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
  const written = toNewSource(write, 'artifact-write');
  const { source } = await appendSource(sql, written, null);
  return {
    scopeKey: source.scopeKey,
    source: { source_type: written.sourceType, source_id: written.sourceId },
  };
}

function toNewSource(
  { tenantId, scopeId, content, occurredAt = null }: SourceToCreate,
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
    occurredAt,
    eligible: record === null,
    record,
  };
}

function toCreated({ sourceId, contentDigest }: NewSource, { source }: Appended): CreatedSource {
  const { scopeKey, position } = source;
  return { scopeKey, sourceId, position, contentDigest: digestFromBytes(contentDigest) };
}

/** Builds a Source that records an event of the service itself. Memory extraction ignores it (spec 40 §1.1). */
export function serviceSource(
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  sourceType: string,
  sourceId: string,
  fields: JsonObject,
): NewSource {
  const content = canonicalJson(fields);
  return {
    tenantId,
    scopeId,
    sourceType,
    sourceId,
    content,
    contentDigest: hashBytes(content),
    metadata: null,
    eligible: false,
    record: null,
  };
}
