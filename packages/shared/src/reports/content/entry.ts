import type { HandoffContent, HandoffEvidenceCheck } from '@continuity/contract/handoff';
import type {
  HandoffReportActivity,
  HandoffRevisionSummary,
  ScopeReport,
  WorkstreamDescriptor,
} from '@continuity/contract/reports';
import type { ScopeDescriptor } from '@continuity/contract/scopes';
import type { WorkContinuity } from '@continuity/contract/work';
import { handoffRef } from '../../evidence/index.ts';
import { relateActivities } from './activities.ts';

/** The selected revision of a Scope's Handoff. */
export interface SelectedHandoff {
  revision: number;
  content: HandoffContent;
  contentDigest: string;
  committedAt: string;
  /** The latest revisions up to the selected one, ascending. */
  history: HandoffRevisionSummary[];
}

/** Input of one entry of a report. */
export interface EntryParts {
  scope: ScopeDescriptor;
  workstream: WorkstreamDescriptor | null;
  handoff: SelectedHandoff | null;
  /** `out_of_time`: the time for checks was used up. */
  evidence: HandoffEvidenceCheck[] | 'not_requested' | 'out_of_time';
  continuity: WorkContinuity;
  /** In the order of the report. */
  activities: HandoffReportActivity[];
}

/** An entry of a report (spec 30 §4.3). */
export function toEntry(parts: EntryParts): ScopeReport {
  const { scope, workstream, handoff, continuity, activities } = parts;
  const activityFields = {
    activities,
    observed_activity_count: activities.length,
    ...relateActivities(activities, handoff?.committedAt ?? null),
  };
  const evidence = handoff === null ? noEvidence : evidenceFields(parts.evidence);
  const status = handoff?.content.disposition ?? 'no_handoff';
  return {
    scope,
    workstream,
    status,
    ...(handoff === null ? noHandoff : handoffFields(scope.scope_id, handoff)),
    ...evidence,
    reporting_status: reportingStatus(handoff, evidence),
    continuity,
    ...activityFields,
  };
}

const noHandoff = {
  handoff: null,
  content: null,
  content_digest: null,
  committed_at: null,
  handoff_revision_count: 0,
  handoff_history_truncated: false,
  handoff_history: [],
};

type EvidenceFields = Pick<ScopeReport, 'evidence_checks' | 'evidence_unavailable'>;

const noEvidence: EvidenceFields = { evidence_checks: 'not_checked', evidence_unavailable: false };

function handoffFields(
  scopeId: string,
  { revision, content, contentDigest, committedAt, history }: SelectedHandoff,
) {
  return {
    handoff: { scope_id: scopeId, artifact: handoffRef(revision) },
    content,
    content_digest: contentDigest,
    committed_at: committedAt,
    handoff_revision_count: revision,
    handoff_history_truncated: revision > history.length,
    handoff_history: history,
  };
}

function evidenceFields(evidence: EntryParts['evidence']): EvidenceFields {
  if (evidence === 'not_requested') return noEvidence;
  if (evidence === 'out_of_time') return { evidence_checks: 'not_checked', evidence_unavailable: true };
  return { evidence_checks: evidence, evidence_unavailable: false };
}

/** The first that matches (spec 30 §4.3.5). */
function reportingStatus(
  handoff: SelectedHandoff | null,
  { evidence_checks, evidence_unavailable }: EvidenceFields,
): ScopeReport['reporting_status'] {
  if (handoff === null) return 'no_handoff';
  const isMissing =
    evidence_checks !== 'not_checked' && evidence_checks.some(({ status }) => status === 'unavailable');
  if (evidence_unavailable || isMissing) return 'evidence_unavailable';
  return handoff.content.omissions.length > 0 ? 'reported_with_omissions' : 'reported';
}
