import type { Citation } from '@continuity/contract';
import { distinctCitations } from '@continuity/contract/evidence';
import type { HandoffResolution } from '@continuity/contract/handoff';
import {
  type Acknowledgement,
  type HandoffAcknowledgement,
  type HandoffReceipt,
  maxUnavailableEvidence,
} from '@continuity/contract/work';
import {
  canonicalJson,
  type Database,
  type JsonObject,
  type ServiceError,
  serviceError,
} from '@continuity/shared/kernel';
import { resolveHandoff, toSelection } from '../handoff/index.ts';
import type { FlushDelay } from '../sources/index.ts';
import { type Declaration, declarationOf } from './acknowledgement.ts';
import { captureRecord, findRepeat, type WorkRecord } from './capture-record.ts';

/**
 * Captures what a receiver answers to a Handoff (spec 30 §2.5). A repeat is told by what the caller said: the evidence
 * result of the first receipt stays. Throws 409 `source_conflict`, 404 `artifact_not_found`, and 422 for an accept of a
 * Handoff whose evidence is not all there.
 */
export async function acknowledgeHandoff(
  database: Database,
  tenantId: number,
  request: Acknowledgement,
  delay: FlushDelay | null,
): Promise<HandoffAcknowledgement> {
  const place = { tenantId, scopeId: request.scope_id };
  const declaration = declarationOf(request);
  const recordOf = (content: JsonObject & { schema: string }): WorkRecord => ({
    ...place,
    sourceId: request.source_id,
    kind: 'handoff-receipt',
    content,
    isRepeatOf: (stored) => canonicalJson(declared(stored)) === canonicalJson(declaration),
  });
  const repeat = await findRepeat(database.sql, recordOf(declaration));
  const resolution = await resolveHandoff(database, place, toSelection(request));
  if (repeat !== undefined) return { resolution, receipt: repeat };
  const unavailable = unavailableEvidence(resolution);
  if (request.status === 'accepted' && unavailable.length > 0) throw evidenceUnavailable(unavailable);
  const record = recordOf(receiptOf(declaration, unavailable));
  const { receipt } = await captureRecord(database, record, delay, async () => undefined);
  return { resolution, receipt };
}

function unavailableEvidence({ evidence_checks }: HandoffResolution): Citation[] {
  return distinctCitations(evidence_checks.flatMap(({ unavailable_evidence }) => unavailable_evidence));
}

function evidenceUnavailable(citations: Citation[]): ServiceError {
  return serviceError('invalid_request', {
    message: 'Some evidence of the Handoff cannot be read. Ask for clarification, or decline it.',
    details: { reason: 'handoff_evidence_unavailable', citations, issues: [] },
  });
}

function receiptOf(declaration: Declaration, unavailable: Citation[]): HandoffReceipt {
  return {
    ...declaration,
    evidence_status: unavailable.length === 0 ? 'available' : 'unavailable',
    unavailable_evidence: unavailable.slice(0, maxUnavailableEvidence),
    unavailable_evidence_count: unavailable.length,
  };
}

/** A stored receipt without what the service found out. */
function declared(stored: JsonObject): JsonObject {
  const {
    evidence_status: _status,
    unavailable_evidence: _some,
    unavailable_evidence_count: _all,
    ...rest
  } = stored;
  return rest;
}
