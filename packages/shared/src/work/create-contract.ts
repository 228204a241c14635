import type { WorkContract, WorkSourceReceipt } from '@continuity/contract/work';
import type { Database } from '@continuity/kernel/database';
import { type EvidencePlace, requireEvidence } from '../evidence/index.ts';
import type { FlushDelay } from '../sources/index.ts';
import { captureRecord, checkRecordSize, findRepeat } from './capture-record.ts';

/** Captures a work contract (spec 30 §2.3). Throws 409 `source_conflict`, and 404 or 422 for its evidence. */
export async function createContract(
  database: Database,
  place: EvidencePlace & { sourceId: string },
  contract: WorkContract,
  delay: FlushDelay | null,
): Promise<WorkSourceReceipt> {
  checkRecordSize('contract', contract);
  const record = { ...place, kind: 'work-contract' as const, content: contract };
  const repeat = await findRepeat(database.sql, record);
  if (repeat !== undefined) return repeat;
  await requireEvidence(
    database.sql,
    place,
    contract.facts.flatMap(({ evidence }) => evidence),
  );
  return (await captureRecord(database, record, delay, async () => undefined)).receipt;
}
