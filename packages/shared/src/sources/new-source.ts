import type { TenantId } from '@continuity/kernel/database';
import type { WorkProjection, WorkRecordKind } from '../work-records/index.ts';

/** Sources that the service writes: the request of an Artifact write, which is lineage only, and work records. */
export type SourceRecordKind = 'artifact-write' | WorkRecordKind;

/** A Source to append. */
export interface NewSource {
  tenantId: TenantId;
  scopeId: string;
  sourceType: string;
  sourceId: string;
  /** Canonical JSON. */
  content: string;
  contentDigest: Buffer;
  /** Canonical JSON of the metadata; null for absent or empty metadata. */
  metadata: string | null;
  /** Whether extraction reads it (spec 20 F6). */
  eligible: boolean;
  /** Kind of a record that the service writes; null for content that a caller captured. */
  record: SourceRecordKind | null;
  /** Only for a Source that claims to be a work record, whoever wrote it. */
  projection?: WorkProjection | undefined;
  /** Only for a Source of a registered type. */
  observation?: ObservedParts;
}

/** Parts of an observation besides its content. */
export interface ObservedParts {
  /** SHA-256 over the whole observation. */
  digest: Buffer;
  /** `value` is canonical JSON. */
  projections: { name: string; version: string; value: string }[];
}
