import type { Issue } from '@continuity/contract';
import type { Acknowledgement, HandoffReceipt, ReceiverChecks } from '@continuity/contract/work';
import { asDigest, digestHex } from '@continuity/kernel/json';
import { findSelectionIssues } from '../handoff/index.ts';

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
