import type {
  HandoffReportActivity,
  ProjectDescriptor,
  WorkspaceBinding,
  WorkstreamDescriptor,
} from './catalog-shapes.ts';
import type { HandoffReport } from './report-shapes.ts';

const projectId = '019a0c2e-7b10-7c44-9a51-2f6f0f4f9d10';

export const exampleProject: ProjectDescriptor = {
  schema: 'service.project.v1',
  project_id: projectId,
  project_key: 'shop',
  title: 'Web shop',
  description: null,
  default_locale: 'en',
  timezone: 'Europe/Berlin',
  catalog_state: 'included',
  version: 1,
};

export const exampleWorkstream: WorkstreamDescriptor = {
  schema: 'service.workstream.v1',
  scope_id: 'checkout-api',
  project_id: projectId,
  key: 'SHOP-7',
  title: 'Checkout API',
  kind: 'feature',
  catalog_state: 'included',
  external_refs: [
    {
      kind: 'issue',
      provider: 'github',
      external_id: 'shop/7',
      url: 'https://github.com/acme/shop/issues/7',
    },
  ],
  labels: [],
  version: 1,
};

export const exampleActivity: HandoffReportActivity = {
  schema: 'service.handoff-report-activity.v1',
  event_id: '019a0c5d-0c6e-7f3a-8d22-5b0a9f3c1e77',
  project_id: projectId,
  scope_id: 'checkout-api',
  source: 'git_commit',
  source_event_id: 'git:9f2c1d7',
  source_ref: null,
  occurred_at: '2026-10-01T10:02:00.000Z',
  observed_at: '2026-10-01T10:03:11.402Z',
  time_basis: 'source_reported',
  title: 'Keep 410, adapt the client',
  summary: null,
  agent: null,
  session_id: null,
  vcs_context: { branch: 'cart-410', head_revision: '9f2c1d7' },
  evidence_refs: [],
  trust: 'untrusted_observation',
};

export const exampleWorkspace: WorkspaceBinding = {
  schema: 'service.workspace-binding.v1',
  workspace_instance_id: 'laptop-7:/home/ana/shop',
  project_id: projectId,
  repository_ref: {
    provider: 'github',
    repository_id: null,
    normalized_remote: 'https://github.com/acme/shop',
    subpath: 'services/checkout',
  },
  state: 'confirmed',
  confirmed_at: '2026-10-01T08:30:00.000Z',
  version: 1,
};

/** The digests of the example, which a test recomputes. */
export const exampleSelectionDigest =
  'sha256:2d9172fd2253f0841ed56945cbbcb50e21342fa893057b74bb456d20c770d9bd';
export const exampleReportDigest = 'sha256:6f17ab401e984ad66dea26fd408288b58aebe036ee464036303017ea312df062';

const reference = { family: 'handoff', artifact_id: 'handoff', revision: 1 };
const boundary = { kind: 'source', source_ref: { name: 'content', source_id: 'boundary-41' } } as const;
const testOutput = { kind: 'source', source_ref: { name: 'content', source_id: 'test-output-41' } } as const;

/** The report of spec 30 §4.8: a Project with one Workstream, its Handoff and one activity. */
export const exampleReport: HandoffReport = {
  schema: 'service.handoff-report.v2',
  trust: 'untrusted_history',
  report_kind: 'handoff',
  locale: 'en',
  format: 'json',
  renderer_version: 'canonical-v1',
  generated_at: '2026-10-01T11:00:00.000Z',
  selection: null,
  project: exampleProject,
  project_revision: 1,
  normalized_filters: { include_archived: false, include_evidence_checks: true },
  normalized_period: null,
  period_comparison: null,
  selection_consistency: 'snapshot',
  scope_ids: ['checkout-api'],
  baseline_selection: null,
  end_selection: [
    {
      scope_id: 'checkout-api',
      scope_version: 1,
      workstream_revision: 1,
      source_position: 2,
      status: 'selected',
      handoff_ref: reference,
    },
  ],
  activity_cursor: 1,
  activity_selection: [exampleActivity.event_id],
  selection_digest: exampleSelectionDigest,
  report_digest: exampleReportDigest,
  coverage: {
    total_included_workstreams: 1,
    catalog_matched_workstreams: 1,
    selected_workstreams: 1,
    missing_handoff_workstreams: 0,
    reported_with_omissions: 1,
    unchecked_evidence_workstreams: 0,
    unavailable_evidence_workstreams: 0,
    activity_without_handoff_workstreams: 0,
    activity_after_handoff_workstreams: 1,
    unknown_time_events: 0,
    unassigned_activity_count: 0,
    activity_coverage: 'captured',
  },
  summary: { continuable_count: 0, blocked_count: 1, complete_count: 0, no_handoff_count: 0 },
  unassigned_activity: [],
  scopes: [
    {
      scope: {
        scope_id: 'checkout-api',
        title: 'Checkout API',
        summary: 'Checkout endpoints of the shop.',
        parent_scope_id: null,
        context_references: [],
        external_references: [],
        version: 1,
      },
      workstream: exampleWorkstream,
      status: 'blocked',
      handoff: { scope_id: 'checkout-api', artifact: reference },
      content: {
        schema: 'service.handoff.v1',
        objective: 'Return a stable error for an expired cart.',
        state: [{ text: 'Expired carts now answer 410.', citations: [boundary, testOutput] }],
        disposition: 'blocked',
        next_action: { text: 'Decide with the web team which status to keep.', citations: [boundary] },
        omissions: [{ text: 'No load test was run.', citation: null }],
      },
      content_digest: 'sha256:545e4a61fcbcf15ab9bc4ec200af4f39bba4b33209ae7beac201b2ccefe5eead',
      committed_at: '2026-10-01T09:12:30.250Z',
      handoff_revision_count: 1,
      handoff_history_truncated: false,
      handoff_history: [
        {
          reference,
          objective_excerpt: 'Return a stable error for an expired cart.',
          disposition: 'blocked',
          next_action_excerpt: 'Decide with the web team which status to keep.',
          state_count: 1,
          omission_count: 1,
          committed_at: '2026-10-01T09:12:30.250Z',
        },
      ],
      evidence_checks: [
        { claim: 'state', state_index: 0, status: 'available', unavailable_evidence: [] },
        { claim: 'next_action', state_index: null, status: 'available', unavailable_evidence: [] },
      ],
      evidence_unavailable: false,
      reporting_status: 'reported_with_omissions',
      continuity: {
        schema: 'service.work-continuity.v1',
        trust: 'untrusted_history',
        scope_id: 'checkout-api',
        selected_handoff: reference,
        total_event_count: 1,
        invalid_record_count: 0,
        truncated: false,
        events: [
          {
            position: 2,
            kind: 'handoff-boundary',
            source_ref: { name: 'content', source_id: 'boundary-41' },
            record_schema: 'service.current-work-handoff.v1',
            status: 'blocked',
            summary: 'Return a stable error for an expired cart.',
            actor: null,
            selected_revision: null,
            handoff_receipt_ref: null,
            receiver_checks: null,
          },
        ],
        coverage: {
          contract_records: 0,
          handoff_records: 1,
          acknowledgement_records: 0,
          outcome_records: 0,
          transfer_state: 'awaiting_receipt',
          outcome_state: 'not_expected',
          active_receipt_ref: null,
          handoff_result_covered: false,
        },
      },
      activities: [exampleActivity],
      activity_status: 'activity_after_handoff',
      handoff_activity_relation: 'activity_after_handoff',
      observed_activity_count: 1,
    },
  ],
};
