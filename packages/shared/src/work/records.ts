import type { SourceRef } from '@continuity/contract';
import { citeArtifact, citeSource, distinctCitations } from '@continuity/contract/evidence';
import type { HandoffContent, HandoffStatement } from '@continuity/contract/handoff';
import type {
  CurrentWorkHandoff,
  HandoffReceipt,
  PreparedWorkHandoff,
  TaskOutcome,
  WorkClaim,
  WorkContract,
  WorkSourceReceipt,
} from '@continuity/contract/work';
import type { Database, Sql } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { contentRef, type EvidencePlace, handoffRefOrNull, requireEvidence } from '../evidence/index.ts';
import { commitBoundary, findHead, prepare } from '../handoff/index.ts';
import { type FlushDelay, findRecord } from '../sources/index.ts';
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

/**
 * Captures the current state of the work as a boundary, builds a Prepared Handoff on the current head (spec 30 §2.4), and commits it
 * in the same transaction if asked to (spec 70 §1.3). Checks the evidence before the transaction, because readable evidence stays
 * readable. Throws 409 `source_conflict`, and 404 or 422 for the evidence.
 */
export async function handOffCurrentWork(
  database: Database,
  place: EvidencePlace & { sourceId: string },
  { handoff: current, commit }: { handoff: CurrentWorkHandoff; commit: boolean },
  delay: FlushDelay | null,
): Promise<PreparedWorkHandoff> {
  checkRecordSize('handoff', current);
  const record = { ...place, kind: 'handoff-boundary' as const, content: current };
  const content = contentOf(current, place.sourceId);
  const finish = async (sql: Sql) => {
    const head = await findHead(sql, place);
    const revision = commit ? await commitBoundary(sql, place, place.sourceId, content) : null;
    return {
      handoff: prepare(place.scopeId, head?.revision, content),
      committed: handoffRefOrNull(revision),
    };
  };
  const repeat = await findRepeat(database.sql, record);
  if (repeat !== undefined) {
    return { boundary: repeat, ...(await (commit ? database.transaction(finish) : finish(database.sql))) };
  }
  await requireEvidence(
    database.sql,
    place,
    claimsOf(current).flatMap(({ evidence }) => evidence),
  );
  const { receipt, read } = await captureRecord(database, record, delay, finish);
  return { boundary: receipt, ...read };
}

function claimsOf({ state, next_action }: CurrentWorkHandoff): WorkClaim[] {
  return next_action === null ? state : [...state, next_action];
}

/** The boundary holds each statement, so it is the first Citation of each. */
function contentOf(
  { objective, state, disposition, next_action, omissions }: CurrentWorkHandoff,
  boundaryId: string,
): HandoffContent {
  const boundary = citeSource(contentRef(boundaryId));
  const stated = ({ text, evidence }: WorkClaim): HandoffStatement => ({
    text,
    citations: distinctCitations([boundary, ...evidence]),
  });
  return {
    schema: 'service.handoff.v1',
    objective,
    state: state.map(stated),
    disposition,
    next_action: next_action === null ? null : stated(next_action),
    omissions: omissions.map((text) => ({ text, citation: null })),
  };
}
