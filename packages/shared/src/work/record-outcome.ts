import type { SourceRef } from '@continuity/contract';
import { citeArtifact } from '@continuity/contract/evidence';
import type { HandoffReceipt, TaskOutcome, WorkSourceReceipt } from '@continuity/contract/work';
import type { Database, Sql } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { type EvidencePlace, requireEvidence } from '../evidence/index.ts';
import { type FlushDelay, findRecord } from '../sources/index.ts';
import { captureRecord, checkRecordSize, findRepeat } from './capture-record.ts';

/**
 * Captures the outcome of a task (spec 30 §2.6). Throws 409 `source_conflict`, 404 or 422 for the evidence, and 422 if
 * `handoff_receipt_ref` is not the receipt of an accepted exact revision.
 */
export async function recordOutcome(
  database: Database,
  place: EvidencePlace & { sourceId: string },
  outcome: TaskOutcome,
  delay: FlushDelay | null,
): Promise<WorkSourceReceipt> {
  checkRecordSize('outcome', outcome);
  const record = { ...place, kind: 'task-outcome' as const, content: outcome };
  const repeat = await findRepeat(database.sql, record);
  if (repeat !== undefined) return repeat;
  const { observations, checks, produced_artifacts, handoff_receipt_ref } = outcome;
  const cited = [...observations, ...checks].flatMap(({ evidence }) => evidence);
  await requireEvidence(database.sql, place, [...cited, ...produced_artifacts.map(citeArtifact)]);
  if (handoff_receipt_ref !== null) await requireReceipt(database.sql, place, handoff_receipt_ref);
  return (await captureRecord(database, record, delay, async () => undefined)).receipt;
}

async function requireReceipt(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  { name, source_id }: SourceRef,
): Promise<void> {
  const found = name === 'content' ? await findRecord(sql, tenantId, scopeId, source_id) : undefined;
  if (found?.record === 'handoff-receipt') {
    const { status, selection } = found.content as HandoffReceipt;
    if (status === 'accepted' && selection === 'exact') return;
  }
  throw invalidRequest([
    {
      path: 'outcome.handoff_receipt_ref',
      message: 'must name a handoff receipt of this Scope that accepted an exact revision',
    },
  ]);
}
