import type { OperationInput } from '@continuity/contract';
import type { sourceOperations } from '@continuity/contract/sources';
import { invalidRequest } from '@continuity/kernel/errors';
import { canonicalJsonWithin, type JsonObject, tooManyBytes } from '@continuity/kernel/json';
import { projectCapturedSource, type WorkProjection } from '../../work-records/bodies/index.ts';
import { type WrittenContent, writeContent } from './written-content.ts';

/** Limit of a capture's metadata, in bytes of canonical JSON (spec 10 §8). */
const maxMetadataBytes = 65_536;

type CaptureBody = OperationInput<typeof sourceOperations.capture_content_source>['body'];

/** A captured content, as it is stored. */
export interface PreparedCapture {
  scope_id: string;
  source_id: string;
  content: WrittenContent;
  /** Canonical JSON; null for absent or empty metadata. */
  metadata: string | null;
  /** Projection of a work record; undefined for other content. */
  projection: WorkProjection | undefined;
}

/** Prepares the body of `capture_content_source`. Throws 422 for metadata over its limit. */
export function prepareCapture({ scope_id, source_id, content, metadata }: CaptureBody): PreparedCapture {
  const fields = metadata as JsonObject | null | undefined;
  return {
    scope_id,
    source_id,
    content: writeContent(content),
    metadata: canonicalMetadata(fields),
    projection: projectCapturedSource(content, fields),
  };
}

/** Returns null for null, absent and empty metadata, which are equal. */
function canonicalMetadata(metadata: JsonObject | null | undefined): string | null {
  if (metadata === null || metadata === undefined) return null;
  const canonical = canonicalJsonWithin(metadata, maxMetadataBytes);
  if (canonical === undefined) throw invalidRequest([tooManyBytes('metadata', maxMetadataBytes)]);
  return canonical === '{}' ? null : canonical;
}
