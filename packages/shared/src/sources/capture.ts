import type { SourceRef } from '@continuity/contract';
import {
  asDigest,
  canonicalJson,
  canonicalJsonWithin,
  type Database,
  hashHex,
  invalidRequest,
  type JsonObject,
  type ServiceError,
  serviceError,
  type TenantId,
  tooManyBytes,
} from '@continuity/shared/kernel';
import { projectCapturedSource } from '../work-records/index.ts';
import { appendAlone, type FlushDelay, type NewSource } from './append.ts';

/** Bound of a capture's metadata, in bytes of canonical JSON (spec 10 §8). */
const maxMetadataBytes = 65_536;

export interface Capture {
  tenantId: TenantId;
  scopeId: string;
  sourceId: string;
  content: string;
  metadata: JsonObject | null | undefined;
}

/**
 * Stores content under the caller's id and returns its position. Idempotent: an equal repeat writes nothing and returns the first
 * position. Throws 409 `source_conflict` for different content.
 */
export async function captureContent(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  capture: Capture,
  delay: FlushDelay | null,
): Promise<number> {
  const appended = await appendAlone(database, toSource(capture), delay);
  if (appended.outcome === 'exists' && !appended.source.isEqual) {
    throw sourceConflict({ name: 'content', source_id: capture.sourceId }, appended.source);
  }
  return appended.source.position;
}

function toSource({ tenantId, scopeId, sourceId, content, metadata }: Capture): NewSource {
  const canonical = canonicalJson(content);
  return {
    tenantId,
    scopeId,
    sourceType: 'content',
    sourceId,
    content: canonical,
    contentDigest: Buffer.from(hashHex(canonical), 'hex'),
    metadata: canonicalMetadata(metadata),
    eligible: true,
    record: null,
    projection: projectCapturedSource(content, metadata),
  };
}

/** Null, absent and `{}` are equal. */
function canonicalMetadata(metadata: JsonObject | null | undefined): string | null {
  if (metadata === null || metadata === undefined) return null;
  const canonical = canonicalJsonWithin(metadata, maxMetadataBytes);
  if (canonical === undefined) throw invalidRequest([tooManyBytes('metadata', maxMetadataBytes)]);
  return canonical === '{}' ? null : canonical;
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
        content_digest: asDigest(existing.contentDigest.toString('hex')),
      },
    },
  });
}
