import { exampleReport, type HandoffReport, type ScopeReport } from '@continuity/contract/reports';

/** Gives the text of each text field in turn. `field` names it. */
export type NextText = (field: string) => string;

/**
 * A report that has every part of a document, with all stored texts from `next`: two blocked entries and one without a Handoff, a
 * period with a comparison, references with and without links, activities with and without a time.
 */
export function reportOfTexts(next: NextText): HandoffReport {
  const { project } = exampleReport;
  if (project === null) throw new Error('The example has a Project.');
  const scopes = [entryOf(next, 1), entryOf(next, 2), emptyEntry(next)];
  return {
    ...exampleReport,
    report_kind: 'periodic',
    project: { ...project, project_key: next('project_key'), title: next('project_title') },
    normalized_period: {
      start: '2026-09-28T00:00:00.000Z',
      end: '2026-10-05T00:00:00.000Z',
      timezone: 'Europe/Berlin',
      compare_to_previous_period: true,
    },
    period_comparison: {
      previous_start: '2026-09-21T00:00:00.000Z',
      previous_end: '2026-09-28T00:00:00.000Z',
      current_activity_count: 3,
      previous_activity_count: 1,
      activity_delta: 2,
      handoff_boundary_coverage: 'exact',
      handoff_changes: scopes.map(({ scope, handoff }) => ({
        scope_id: scope.scope_id,
        change: handoff === null ? 'none' : 'advanced',
        from: handoff && { family: 'handoff', artifact_id: 'handoff', revision: 1 },
        to: handoff?.artifact ?? null,
        from_status: handoff === null ? 'no_handoff' : 'continuable',
        to_status: handoff === null ? 'no_handoff' : 'blocked',
      })),
    },
    unassigned_activity: scopes.slice(0, 1).flatMap(({ activities }) => activities),
    scopes,
  };
}

function entryOf(next: NextText, number: number): ScopeReport {
  const [example] = exampleReport.scopes;
  if (example?.workstream == null || example.content === null) throw new Error('The example has an entry.');
  let sources = 0;
  // Each has an id of its own, so that one of them can be missing.
  const source = () => ({
    kind: 'source' as const,
    source_ref: { name: next('source_name'), source_id: `${next('source_id')}${++sources}` },
  });
  const missing = source();
  const reference = { family: 'handoff', artifact_id: 'handoff', revision: 2 };
  const scope_id = `${next('scope_id')}${number}`;
  return {
    ...example,
    scope: {
      ...example.scope,
      scope_id,
      title: next('scope_title'),
      parent_scope_id: next('parent_scope_id'),
    },
    workstream: {
      ...example.workstream,
      key: number === 1 ? next('key') : null,
      title: next('title'),
      external_refs: referencesOf(next),
    },
    handoff: { scope_id, artifact: reference },
    content: {
      ...example.content,
      objective: next('objective'),
      state: [{ text: next('state'), citations: [source(), missing] }],
      next_action: number === 1 ? { text: next('next_action'), citations: [source()] } : null,
      omissions: [
        { text: next('omission'), citation: source() },
        { text: next('omission'), citation: null },
      ],
    },
    handoff_revision_count: 2,
    handoff_history: [1, 2].map((revision) => ({
      reference: { ...reference, revision },
      objective_excerpt: next('excerpt'),
      disposition: 'blocked' as const,
      next_action_excerpt: revision === 1 ? next('excerpt') : null,
      state_count: 1,
      omission_count: 2,
      committed_at: '2026-10-01T09:12:30.250Z',
    })),
    evidence_checks: [
      { claim: 'state', state_index: 0, status: 'unavailable', unavailable_evidence: [missing] },
      { claim: 'next_action', state_index: null, status: 'available', unavailable_evidence: [] },
    ],
    reporting_status: 'evidence_unavailable',
    continuity: {
      ...example.continuity,
      truncated: true,
      total_event_count: 70,
      events: example.continuity.events.flatMap((event) => [
        { ...event, summary: next('summary'), actor: next('actor') },
        { ...event, summary: null, actor: next('actor') },
        { ...event, summary: null, actor: null },
      ]),
    },
    activities: example.activities.flatMap((activity) => [
      {
        ...activity,
        source_event_id: next('source_event_id'),
        source_ref: referencesOf(next)[0] ?? null,
        evidence_refs: referencesOf(next),
        title: next('activity_title'),
        summary: next('activity_summary'),
        agent: { provider: next('provider'), label: next('label') },
        session_id: next('session_id'),
        vcs_context: { branch: null, head_revision: next('head_revision') },
      },
      { ...activity, source_event_id: next('source_event_id'), time_basis: 'unknown' as const, title: null },
    ]),
  };
}

function emptyEntry(next: NextText): ScopeReport {
  const entry = entryOf(next, 3);
  return {
    ...entry,
    status: 'no_handoff',
    workstream: null,
    handoff: null,
    content: null,
    content_digest: null,
    committed_at: null,
    handoff_revision_count: 0,
    handoff_history: [],
    evidence_checks: 'not_checked',
    reporting_status: 'no_handoff',
    activities: [],
  };
}

const urls = ['https://example.org/a?b=<c>&d=`|\\#e', 'javascript:alert(1)', null];

function referencesOf(next: NextText) {
  return urls.map((url) => ({
    kind: 'issue' as const,
    provider: next('provider'),
    external_id: next('external_id'),
    url,
  }));
}
