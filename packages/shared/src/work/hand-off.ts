import { citeSource, distinctCitations } from '@continuity/contract/evidence';
import type { HandoffContent, HandoffStatement } from '@continuity/contract/handoff';
import type { CurrentWorkHandoff, PreparedWorkHandoff, WorkClaim } from '@continuity/contract/work';
import type { Database } from '@continuity/kernel/database';
import { contentRef, type EvidencePlace, requireEvidence } from '../evidence/index.ts';
import { findHead, prepare } from '../handoff/index.ts';
import type { FlushDelay } from '../sources/index.ts';
import { captureRecord, checkRecordSize, findRepeat } from './capture-record.ts';

/**
 * Captures the current state of the work as a boundary, and builds a Prepared Handoff on the current head (spec 30 §2.4). Checks the
 * evidence before the transaction, because readable evidence stays readable. Throws 409 `source_conflict`, and 404 or 422 for
 * the evidence.
 */
export async function handOffCurrentWork(
  database: Database,
  place: EvidencePlace & { sourceId: string },
  current: CurrentWorkHandoff,
  delay: FlushDelay | null,
): Promise<PreparedWorkHandoff> {
  checkRecordSize('handoff', current);
  const record = { ...place, kind: 'handoff-boundary' as const, content: current };
  const content = contentOf(current, place.sourceId);
  const repeat = await findRepeat(database.sql, record);
  if (repeat !== undefined) {
    const head = await findHead(database.sql, place);
    return { boundary: repeat, handoff: prepare(place.scopeId, head?.revision, content) };
  }
  await requireEvidence(
    database.sql,
    place,
    claimsOf(current).flatMap(({ evidence }) => evidence),
  );
  const { receipt, read } = await captureRecord(database, record, delay, (sql) => findHead(sql, place));
  return { boundary: receipt, handoff: prepare(place.scopeId, read?.revision, content) };
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
