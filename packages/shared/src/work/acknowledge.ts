import type { Citation } from '@continuity/contract';
import { distinctCitations } from '@continuity/contract/evidence';
import type { HandoffResolution } from '@continuity/contract/handoff';
import {
  type Acknowledgement,
  type HandoffAcknowledgement,
  type HandoffReceipt,
  maxUnavailableEvidence,
} from '@continuity/contract/work';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { canonicalJson, type JsonObject } from '@continuity/kernel/json';
import { resolveHandoff, toSelection } from '../handoff/index.ts';
import type { FlushDelay } from '../sources/index.ts';
import { type Declaration, declarationOf } from './acknowledgement-rules.ts';
import { captureRecord, findRepeat, type WorkRecord } from './capture-record.ts';

/**
 * Captures the receiver's acknowledgement of a Handoff (spec 30 §2.5). Idempotent: a request that declares the same returns the
 * first receipt with its first evidence result. Throws 409 `source_conflict`, 404 `artifact_not_found`, and 422 for the
 * acceptance of a Handoff with unavailable evidence.
 */
export async function acknowledgeHandoff(
  database: Database,
  tenantId: TenantId,
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

/** The fields of a stored receipt that the caller declared. */
function declared(stored: JsonObject): JsonObject {
  const {
    evidence_status: _status,
    unavailable_evidence: _some,
    unavailable_evidence_count: _all,
    ...rest
  } = stored;
  return rest;
}
