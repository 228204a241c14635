import type { Citation, Issue } from '@continuity/contract';
import { distinctCitations } from '@continuity/contract/evidence';
import type { HandoffResolution } from '@continuity/contract/handoff';
import {
  type Acknowledgement,
  type HandoffAcknowledgement,
  type HandoffReceipt,
  maxUnavailableEvidence,
  type ReceiverChecks,
} from '@continuity/contract/work';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { asDigest, canonicalJson, digestHex, type JsonObject } from '@continuity/kernel/json';
import { findSelectionIssues, resolveHandoff, toSelection } from '../handoff/index.ts';
import type { FlushDelay } from '../sources/index.ts';
import { captureRecord, findRepeat, type WorkRecord } from './capture-record.ts';

/** Validates an acknowledgement across its fields (spec 30 §2.5.1, §2.5.2). */
export function findAcknowledgementIssues(request: Acknowledgement): Issue[] {
  return [...findSelectionIssues(request), ...findAnswerIssues(request)];
}

/** The fields of a receipt that the caller declares; they identify a repeat (spec 30 §2.5.5). */
export type Declaration = Omit<
  HandoffReceipt,
  'evidence_status' | 'unavailable_evidence' | 'unavailable_evidence_count'
>;

/** The declared fields of a request, as its receipt stores them. */
export function declarationOf(request: Acknowledgement): Declaration {
  const { receiver, status, selection, receiver_checks, prepared, revision, message } = request;
  return {
    schema: 'service.handoff-receipt.v1',
    trust: 'untrusted_observation',
    receiver,
    status,
    selection,
    selected_revision: revision,
    prepared_digest: prepared === null ? null : asDigest(digestHex(prepared)),
    receiver_checks,
    message,
  };
}

/** An acceptance needs all checks confirmed; any other status needs a message. */
function findAnswerIssues({ status, receiver_checks, message }: Acknowledgement): Issue[] {
  if (status === 'accepted') return findAcceptanceIssues(receiver_checks);
  return message === null ? [{ path: 'message', message: 'is required unless the status is accepted' }] : [];
}

function findAcceptanceIssues(checks: ReceiverChecks | null): Issue[] {
  if (checks === null) {
    return [{ path: 'receiver_checks', message: 'is required where the status is accepted' }];
  }
  return Object.entries(checks)
    .filter(([, value]) => value !== 'confirmed')
    .map(([name]) => ({
      path: `receiver_checks.${name}`,
      message: 'must be confirmed where the status is accepted',
    }));
}

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
