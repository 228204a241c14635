import { exampleProject, exampleWorkstream } from '@continuity/contract/reports';
import { get, type Probes, post } from './probe.ts';

/** Probes of the operations of reports and their catalog. */
export const reportProbes = {
  create_handoff_report_project: ({ key, project_key }) => [
    post('/v1/handoff-reports/projects/create', { project_key, title: 'Mine' }),
    post(
      '/v1/handoff-reports/projects/create',
      { project_key: key, title: 'Mine' },
      { 'idempotency-key': key },
    ),
  ],
  get_handoff_report_project: ({ project_id }) => [post('/v1/handoff-reports/projects/get', { project_id })],
  list_handoff_report_projects: ({ projectsCursor }) => [
    post('/v1/handoff-reports/projects/list', { include_archived: true }),
    post('/v1/handoff-reports/projects/list', { cursor: projectsCursor }),
  ],
  update_handoff_report_project: ({ project_id, project_key }) => [
    post('/v1/handoff-reports/projects/update', {
      project: { ...exampleProject, project_id, project_key, version: 2 },
      expected_version: 1,
    }),
  ],
  register_handoff_report_workstream: ({ scope_id, child_scope_id, project_id, project_key }) => [
    ...[scope_id, child_scope_id].map((id) =>
      post('/v1/handoff-reports/workstreams/register', {
        project_id,
        scope_id: id,
        title: 'Mine',
        kind: 'other',
        key: project_key,
      }),
    ),
  ],
  list_handoff_report_workstreams: ({ project_id, workstreamsCursor }) => [
    post('/v1/handoff-reports/workstreams/list', { project_id }),
    post('/v1/handoff-reports/workstreams/list', { project_id, cursor: workstreamsCursor }),
  ],
  update_handoff_report_workstream: ({ scope_id, project_id }) => [
    post('/v1/handoff-reports/workstreams/update', {
      workstream: { ...exampleWorkstream, scope_id, project_id, version: 2 },
      expected_version: 1,
    }),
  ],
  record_handoff_report_activity: ({ project_id, scope_id, event_id }) => [
    post('/v1/handoff-reports/activities/record', {
      project_id,
      scope_id,
      source: 'other',
      source_event_id: event_id,
      time_basis: 'first_seen',
    }),
  ],
  list_handoff_report_activities: ({ project_id }) => [
    post('/v1/handoff-reports/activities/list', { project_id }),
  ],
  purge_handoff_report_activities: ({ project_id }) => [
    post('/v1/handoff-reports/activities/purge', { project_id, observed_before: '9999-01-01T00:00:00Z' }),
  ],
  get_handoff_report_workspace: ({ workspace_id }) => [
    post('/v1/handoff-reports/workspace-bindings/get', { workspace_instance_id: workspace_id }),
  ],
  attach_handoff_report_workspace: ({ workspace_id, project_id }) =>
    [null, 1].map((expected_version) =>
      post('/v1/handoff-reports/workspace-bindings/attach', {
        workspace_instance_id: workspace_id,
        project_id,
        repository_ref: { provider: 'local', subpath: '.' },
        expected_version,
      }),
    ),
  detach_handoff_report_workspace: ({ workspace_id }) => [
    post('/v1/handoff-reports/workspace-bindings/detach', {
      workspace_instance_id: workspace_id,
      expected_version: 1,
    }),
  ],
  get_handoff_report: ({ scope_id, child_scope_id, project_id }) => [
    post('/v1/handoff-reports/get', { selection: { mode: 'exact', scope_ids: [scope_id, child_scope_id] } }),
    post('/v1/handoff-reports/get', { selection: { mode: 'subtree', root_scope_id: scope_id } }),
    post('/v1/handoff-reports/get', { project_id, format: 'markdown' }),
  ],
  view_handoff_report: ({ scope_id, project_id }) => [
    get(`/reports/view?project_id=${project_id}`),
    get(`/reports/view?scope_id=${scope_id}`),
    get(`/reports/view?root_scope_id=${scope_id}`),
  ],
} satisfies Partial<Probes>;
