import type { OperationInput } from '@continuity/contract';
import type { sourceOperations } from '@continuity/contract/sources';
import { requireNoIssues } from '@continuity/kernel/errors';
import {
  canonicalJson,
  canonicalJsonWithin,
  hashHex,
  type JsonObject,
  type JsonValue,
} from '@continuity/kernel/json';
import { projectCapturedSource, type WorkProjection } from '../../work-records/bodies/index.ts';

/** Limit of JSON content, in bytes of canonical JSON (spec 10 §8, spec 30 §2.2.1). */
export const maxContentBytes = 1_048_576;

/** Content in the form in which a Source stores it. */
export interface WrittenContent {
  /** Canonical JSON. */
  canonical: string;
  /** SHA-256 of it, as 64 hex digits. */
  digest: string;
}

/** Converts content to its stored form. */
export function writeContent(content: JsonValue): WrittenContent {
  return toWritten(canonicalJson(content));
}

/** As `writeContent`. Throws 422 for content over `maxContentBytes`; `path` is its field in the request. */
export function writeContentWithin(content: JsonValue, path: string): WrittenContent {
  const { canonical, issues } = canonicalJsonWithin(path, content, maxContentBytes);
  requireNoIssues(issues);
  return toWritten(canonical);
}

function toWritten(canonical: string): WrittenContent {
  return { canonical, digest: hashHex(canonical) };
}

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
  /** As `offsetTime` writes it; null if not known. */
  occurred_at: string | null;
}

/** Prepares the body of `capture_content_source`. Throws 422 for metadata over its limit. */
export function prepareCapture(body: CaptureBody): PreparedCapture {
  const { scope_id, source_id, content, metadata, occurred_at } = body;
  const fields = metadata as JsonObject | null | undefined;
  return {
    scope_id,
    source_id,
    content: writeContent(content),
    metadata: canonicalMetadata(fields),
    projection: projectCapturedSource(content, fields),
    occurred_at: occurred_at ?? null,
  };
}

/** Returns null for null, absent and empty metadata, which are equal. */
function canonicalMetadata(metadata: JsonObject | null | undefined): string | null {
  if (metadata === null || metadata === undefined) return null;
  const { canonical, issues } = canonicalJsonWithin('metadata', metadata, maxMetadataBytes);
  requireNoIssues(issues);
  return canonical === '{}' ? null : canonical;
}

type CreateBody = OperationInput<typeof sourceOperations.create_source>['body'];

/** The content of a Source to create, as it is stored. */
interface PreparedCreate {
  source_type: 'content';
  content: WrittenContent;
  occurred_at: string | null;
}

/** Prepares the body of `create_source`. Throws 422 for content over its limit. */
export function prepareCreate({ source_type, content, occurred_at }: CreateBody): PreparedCreate {
  return {
    source_type,
    occurred_at: occurred_at ?? null,
    content: writeContentWithin(content as JsonValue, 'content'),
  };
}
