import type { WorkSourceReceipt } from '@continuity/contract/work';
import type { Database, Sql, TenantId } from '@continuity/kernel/database';
import { requireNoIssues } from '@continuity/kernel/errors';
import {
  canonicalJson,
  canonicalJsonWithin,
  digestFromBytes,
  hashBytes,
  type JsonObject,
} from '@continuity/kernel/json';
import { contentRef } from '../evidence/index.ts';
import {
  appendSource,
  appendUnderId,
  type FlushDelay,
  type FoundRecord,
  findRecord,
  maxContentBytes,
  type NewSource,
  sourceConflict,
} from '../sources/index.ts';
import { projectWrittenRecord, type WorkRecordKind } from '../work-records/index.ts';

/** A work record to capture. */
export interface WorkRecord {
  tenantId: TenantId;
  scopeId: string;
  sourceId: string;
  kind: WorkRecordKind;
  /** With every default filled in. */
  content: JsonObject & { schema: string };
  /** Whether a stored record of this kind is a repeat; compares the whole content if left out. */
  isRepeatOf?: (stored: JsonObject) => boolean;
}

/** The receipt of an equal record that is stored under the same id, or undefined. Throws 409 `source_conflict`. */
export async function findRepeat(sql: Sql, record: WorkRecord): Promise<WorkSourceReceipt | undefined> {
  const found = await findRecord(sql, record.tenantId, record.scopeId, record.sourceId);
  if (found === undefined) return undefined;
  if (!isRepeat(record, found)) throw sourceConflict(contentRef(record.sourceId), found);
  return receiptOf(record, found.position, found.contentDigest);
}

/**
 * Captures a record as a Source (spec 30 §2.2). Returns its receipt, and the result of `alsoRead` in the same transaction. Two
 * concurrent equal requests get the same receipt. Throws 409 `source_conflict`.
 */
export async function captureRecord<T>(
  database: Database,
  record: WorkRecord,
  delay: FlushDelay | null,
  alsoRead: (sql: Sql) => Promise<T>,
): Promise<{ receipt: WorkSourceReceipt; read: T }> {
  const source = toSource(record);
  return appendUnderId(() =>
    database.transaction(async (sql) => {
      const appended = await appendSource(sql, source, delay);
      const read = await alsoRead(sql);
      if (appended.outcome === 'appended') {
        return { receipt: receiptOf(record, appended.source.position, source.contentDigest), read };
      }
      const receipt = await findRepeat(sql, record);
      if (receipt === undefined) throw new Error('A stored Source was not found.');
      return { receipt, read };
    }),
  );
}

/** Throws 422 for a record over the limit of a Source (spec 30 §2.2.1). `path` is its field in the request. */
export function checkRecordSize(path: string, record: JsonObject): void {
  requireNoIssues(canonicalJsonWithin(path, record, maxContentBytes).issues);
}

function toSource({ tenantId, scopeId, sourceId, kind, content }: WorkRecord): NewSource {
  const canonical = canonicalJson(content);
  return {
    tenantId,
    scopeId,
    sourceType: 'content',
    sourceId,
    content: canonical,
    contentDigest: hashBytes(canonical),
    metadata: canonicalJson({ kind, schema: content.schema }),
    // A receipt can be cited, but extraction does not read it (spec 20 F6).
    eligible: kind !== 'handoff-receipt',
    record: kind,
    projection: projectWrittenRecord(kind, content),
  };
}

function isRepeat({ kind, content, isRepeatOf }: WorkRecord, found: FoundRecord): boolean {
  if (found.record !== kind) return false;
  const stored = found.content as JsonObject;
  return isRepeatOf?.(stored) ?? canonicalJson(stored) === canonicalJson(content);
}

function receiptOf({ kind, sourceId }: WorkRecord, position: number, digest: Buffer): WorkSourceReceipt {
  return {
    kind,
    source: contentRef(sourceId),
    position,
    content_digest: digestFromBytes(digest),
  };
}
