import type { SourceRef } from '@continuity/contract';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { digestFromBytes } from '@continuity/kernel/json';
import { contentRef } from '../evidence/index.ts';
import { appendAlone } from './append.ts';
import type { FlushDelay } from './append-statements.ts';
import type { PreparedCapture } from './bodies/index.ts';
import type { NewSource } from './new-source.ts';

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
  { scope_id, source_id, content, metadata, projection }: PreparedCapture,
): NewSource {
  return {
    tenantId,
    scopeId: scope_id,
    sourceType: 'content',
    sourceId: source_id,
    content: content.canonical,
    contentDigest: Buffer.from(content.digest, 'hex'),
    metadata,
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
