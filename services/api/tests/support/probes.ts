import type { ArtifactRef, Citation } from '@continuity/contract';
import type { operationTable } from '@continuity/contract/operations';
import { exampleProject, exampleWorkstream } from '@continuity/contract/reports';
import { exampleArchive } from '@continuity/contract/skills';
import type { OperationId } from '@continuity/testing';
import { manifest, observation } from './connectors.ts';
import { experience } from './documents.ts';
import { cite, draft, handoffRef, prepared, stated } from './handoff.ts';
import { bindingKey, connectorBinding, type Names, planted } from './planted.ts';

/** Requests that use some names. */
export interface Probe {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const post = (path: string, body?: unknown, headers?: Record<string, string>): Probe => ({
  method: 'POST',
  path,
  body,
  ...(headers && { headers }),
});
const get = (path: string, headers?: Record<string, string>): Probe => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
});

const put = (path: string, body: unknown): Probe => ({ method: 'PUT', path, body });

const fields = { title: 'Title', summary: 'Summary' };
const entries = [{ kind: 'fact', text: 'fifth wall' }];

type Table = typeof operationTable;

/** An operation that needs the token of a tenant. */
export type Walled = {
  [Id in OperationId]: Table[Id]['auth'] extends 'bearer' ? Id : never;
}[OperationId];

const outcome = {
  objective: 'Build.',
  status: 'partial',
  summary: 'Half.',
  observations: [{ text: 'Half built.' }],
};

type Evidence = Pick<
  Names,
  | 'source_id'
  | 'receipt_id'
  | 'citation'
  | 'artifact_id'
  | 'experience_id'
  | 'skill_id'
  | 'source_type'
  | 'observed_id'
>;

/** Every Citation that the names allow. */
function evidenceOf(names: Evidence): Citation[] {
  const { source_id, receipt_id, citation, artifact_id, experience_id, skill_id, ...observed } = names;
  return [
    { kind: 'source', source_ref: { name: observed.source_type, source_id: observed.observed_id } },
    cite(source_id),
    cite(receipt_id),
    { kind: 'memory', memory_citation: citation },
    { kind: 'artifact', artifact_ref: { family: 'memory', artifact_id, revision: 1 } },
    { kind: 'artifact', artifact_ref: { family: 'experience', artifact_id: experience_id, revision: 1 } },
    { kind: 'artifact', artifact_ref: { family: 'skill', artifact_id: skill_id, revision: 1 } },
    { kind: 'artifact', artifact_ref: handoffRef(1) },
  ];
}

/** The same as references of a Candidate, which cites no entry. */
function referencesOf(names: Evidence) {
  const cited = evidenceOf(names);
  return {
    source_refs: cited.flatMap((one) => (one.kind === 'source' ? [one.source_ref] : [])),
    artifact_refs: cited.flatMap((one) => (one.kind === 'artifact' ? [one.artifact_ref] : [])),
  };
}

const citing = (names: Evidence) => stated('Built on what the other has.', ...evidenceOf(names));

const skillOf = ({ scope_id, skill_id: artifact_id }: Pick<Names, 'scope_id' | 'skill_id'>) => ({
  scope_id,
  artifact: { family: 'skill', artifact_id, revision: 1 },
});

/** A record whose evidence has the name of a Source, and a record without evidence. */
function workProbes(
  path: string,
  { scope_id, source_id, ...names }: Names,
  field: string,
  record: Record<string, unknown>,
  claims: string,
): Probe[] {
  const verified = [{ text: 'Seen.', basis: 'verified', evidence: evidenceOf({ source_id, ...names }) }];
  return [
    post(path, { scope_id, source_id, [field]: { ...record, [claims]: verified } }),
    post(path, { scope_id, source_id, [field]: record }),
  ];
}

/** A proposal from the Source of the names. */
const proposed = ({ scope_id, source_id }: Names, proposal: unknown) => ({
  scope_id,
  proposal,
  source_refs: [{ name: 'content', source_id }],
  artifact_refs: [] as ArtifactRef[],
});

/** Proposals whose evidence or target has one of the names. */
function proposals(path: string, names: Names, proposal: unknown): Probe[] {
  const targets = [
    { family: 'experience', artifact_id: names.experience_id, revision: 1 },
    { family: 'skill', artifact_id: names.skill_id, revision: 1 },
  ];
  return [
    post(path, proposed(names, proposal)),
    ...targets.map((target) =>
      post(path, { ...proposed(names, proposal), artifact_refs: [target], target, source_refs: [] }),
    ),
  ];
}

/** A decision about a version of the Candidate. */
function decide(
  decision: string,
  { scope_id, candidate_id }: Names,
  expected_version: number,
  more?: object,
): Probe {
  const body = { scope_id, candidate_id, expected_version, ...more };
  return post(`/v1/artifact-candidates/${decision}`, body);
}

/** For each operation, requests with every use of the names. A new operation does not compile without them. */
export const probes: Record<Walled, (names: Names) => Probe[]> = {
  get_capabilities: () => [get('/v1/capabilities')],
  list_scopes: ({ scopesCursor }) => [get('/v1/scopes'), get(`/v1/scopes?cursor=${scopesCursor}`)],
  create_scope: ({ scope_id, key }) => [
    post('/v1/scopes', { ...fields, parent_scope_id: scope_id, idempotency_key: key }),
    post('/v1/scopes', { ...fields, context_references: [scope_id], idempotency_key: key }),
    post('/v1/scopes', { ...fields, idempotency_key: key }),
  ],
  get_scope: ({ scope_id, child_scope_id }) => [
    get(`/v1/scopes/${scope_id}`),
    get(`/v1/scopes/${child_scope_id}`),
  ],
  update_scope: ({ scope_id, child_scope_id }) => [
    put(`/v1/scopes/${scope_id}`, { ...fields, expected_version: 1 }),
    put(`/v1/scopes/${scope_id}`, { ...fields, expected_version: 1, parent_scope_id: child_scope_id }),
  ],
  get_default_scope: () => [get('/v1/scopes/default')],
  set_default_scope: ({ scope_id }) => [put('/v1/scopes/default', { scope_id })],
  resolve_scope_selection: ({ scope_id, child_scope_id }) => [
    post('/v1/scopes/selection/resolve', { selection: { mode: 'all' } }),
    post('/v1/scopes/selection/resolve', { selection: { mode: 'exact', scope_ids: [child_scope_id] } }),
    post('/v1/scopes/selection/resolve', { selection: { mode: 'subtree', root_scope_id: scope_id } }),
  ],
  resolve_scope_binding: ({ scope_id, bound_id }) => [
    post('/v1/scope-bindings/resolve', { explicit_scope_id: scope_id }),
    post('/v1/scope-bindings/resolve', { binding_keys: [bindingKey(bound_id)] }),
  ],
  set_scope_binding: ({ scope_id, bound_id }) => [
    put('/v1/scope-bindings', { key: bindingKey(bound_id), scope_id }),
  ],
  clear_scope_binding: ({ bound_id }) => [post('/v1/scope-bindings/clear', { key: bindingKey(bound_id) })],
  capture_content_source: ({ scope_id, source_id }) => [
    post('/v1/sources/content', { scope_id, source_id, content: 'of the second tenant' }),
  ],
  create_source: ({ scope_id, key }) => [
    post(`/v1/scopes/${scope_id}/sources`, { content: 'mine' }, { 'idempotency-key': key }),
  ],
  get_source: ({ scope_id, source_id, source_type, observed_id }) => [
    get(`/v1/scopes/${scope_id}/sources/content/${source_id}`),
    get(`/v1/scopes/${scope_id}/sources/${source_type}/${observed_id}`),
  ],
  register_source_definition: ({ source_type: name }) => [
    post('/v1/source-definitions/register', {
      manifest: manifest({ name, source_schema: { minProperties: 1 } }),
    }),
  ],
  submit_source_observation: ({ scope_id, source_type: name, observed_id }) => [
    post('/v1/source-observations', {
      scope_id,
      observation: observation(manifest({ name }), observed_id, 'of the second tenant'),
    }),
  ],
  get_connector_checkpoint: ({ scope_id, binding_id }) => [
    post('/v1/connector-checkpoints/get', { binding: connectorBinding(scope_id, binding_id) }),
  ],
  commit_connector_checkpoint: ({ scope_id, binding_id }) =>
    ['of the first tenant', null].map((expected) =>
      post('/v1/connector-checkpoints/commit', {
        binding: { ...connectorBinding(scope_id, binding_id), connector_version: '2' },
        expected,
        checkpoint: 'of the second tenant',
      }),
    ),
  remember_memory: ({ scope_id, citation }) => [
    post('/v1/memory/remember', {
      scope_id,
      kind: 'fact',
      text: 'third wall',
      expected_revision: citation.memory_ref.revision,
    }),
    post('/v1/memory/remember', { scope_id, kind: 'fact', text: 'third wall' }),
  ],
  search_memory: ({ scope_id }) => [post('/v1/memory/search', { scope_id, query: 'third wall' })],
  prepare_context: ({ scope_id }) => [post('/v1/context/prepare', { scope_id, query: 'third wall' })],
  list_memory_entries: ({ scope_id, entriesCursor: cursor }) => [
    post('/v1/memory/entries/list', { scope_id, include_inactive: true }),
    post('/v1/memory/entries/list', { scope_id, cursor }),
  ],
  get_memory_entry: ({ scope_id, citation }) => [post('/v1/memory/entries/get', { scope_id, citation })],
  revise_memory_entry: ({ scope_id, citation }) => [
    post('/v1/memory/entries/revise', { scope_id, citation, kind: 'fact', text: 'broken wall' }),
  ],
  retire_memory_entry: ({ scope_id, citation }) => [
    post('/v1/memory/entries/retire', { scope_id, citation }),
  ],
  list_memory_changes: ({ scope_id, changesCursor: cursor }) => [
    post('/v1/memory/changes', { scope_id }),
    post('/v1/memory/changes', { scope_id, since_revision: 0 }),
    post('/v1/memory/changes', { scope_id, cursor }),
  ],
  flush_memory: ({ scope_id }) => [post('/v1/memory/flush', { scope_id })],
  create_artifact: ({ scope_id, key, tree_digest, archive_digest }) => [
    post(`/v1/scopes/${scope_id}/artifacts`, {
      family: 'skill',
      content: {
        ...planted,
        package: { tree_digest, archive_digest, file_count: 1, uncompressed_size: 150, archive_size: 300 },
      },
    }),
    post(
      `/v1/scopes/${scope_id}/artifacts`,
      { family: 'memory', content: { entries } },
      { 'idempotency-key': key },
    ),
  ],
  list_artifacts: ({ scope_id, artifactsCursor }) => [
    get(`/v1/scopes/${scope_id}/artifacts/memory`),
    get(`/v1/scopes/${scope_id}/artifacts/memory?cursor=${artifactsCursor}`),
  ],
  get_artifact: ({ scope_id, artifact_id, etag, experience_id, skill_id }) => [
    get(`/v1/scopes/${scope_id}/artifacts/experience/${experience_id}`),
    get(`/v1/scopes/${scope_id}/artifacts/skill/${skill_id}`),
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`),
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`, { 'if-none-match': etag }),
  ],
  get_artifact_revision: ({ scope_id, artifact_id }) => [
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}/revisions/1`),
  ],
  replace_artifact: ({ scope_id, artifact_id, etag }) => [
    {
      method: 'PUT',
      path: `/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`,
      body: { content: { entries } },
      headers: { 'if-match': etag },
    },
  ],
  publish_artifact: ({ scope_id, child_scope_id, experience_id, key: idempotency_key }) => {
    const publication = {
      source: { scope_id, artifact: { family: 'experience', artifact_id: experience_id, revision: 1 } },
      target_scope_id: child_scope_id,
      idempotency_key,
    };
    // First without a Scope of these names, then with the tenant's own Scopes.
    return [
      post('/v1/artifact-publications', publication),
      post('/v1/sources/content', { scope_id, source_id: 'own', content: 'own' }),
      post('/v1/artifact-publications', publication),
      post('/v1/sources/content', { scope_id: child_scope_id, source_id: 'own', content: 'own' }),
      post('/v1/artifact-publications', publication),
    ];
  },
  create_work_contract: (names) =>
    workProbes(
      '/v1/work/contracts/create',
      names,
      'contract',
      {
        objective: 'Build.',
        in_scope: ['walls'],
        completion_criteria: ['built'],
        facts: [],
      },
      'facts',
    ),
  handoff_current_work: (names) =>
    workProbes(
      '/v1/work/handoffs/prepare-current',
      names,
      'handoff',
      {
        objective: 'Build.',
        disposition: 'blocked',
        state: [{ text: 'Begun.' }],
      },
      'state',
    ),
  record_task_outcome: (names) => [
    ...workProbes('/v1/work/outcomes/record', names, 'outcome', outcome, 'observations'),
    post('/v1/work/outcomes/record', {
      scope_id: names.scope_id,
      source_id: 'other',
      outcome: { ...outcome, handoff_receipt_ref: { name: 'content', source_id: names.receipt_id } },
    }),
  ],
  acknowledge_handoff: (names) => {
    const { scope_id, receipt_id } = names;
    const body = { scope_id, source_id: receipt_id, receiver: 'mason', status: 'declined', message: 'No.' };
    return [
      post('/v1/work/handoffs/acknowledge', { ...body, selection: 'exact', revision: handoffRef(1) }),
      post('/v1/work/handoffs/acknowledge', {
        ...body,
        selection: 'prepared',
        prepared: prepared(scope_id, 1, { state: [citing(names)] }),
      }),
    ];
  },
  finalize_handoff: ({ scope_id, ...names }) => [
    post('/v1/handoff/finalize', { scope_id, draft: draft({ state: [citing(names)] }) }),
  ],
  commit_handoff: ({ scope_id, ...names }) =>
    [0, 1].map((base) =>
      post('/v1/handoff/commit', { scope_id, handoff: prepared(scope_id, base, { state: [citing(names)] }) }),
    ),
  continue_handoff: ({ scope_id, ...names }) => [
    post('/v1/handoff/continue', { scope_id, selection: 'latest' }),
    post('/v1/handoff/continue', { scope_id, selection: 'exact', revision: handoffRef(1) }),
    post('/v1/handoff/continue', {
      scope_id,
      selection: 'prepared',
      prepared: prepared(scope_id, 1, { state: [citing(names)] }),
    }),
  ],
  prepare_handoff: ({ scope_id, source_id, citation, artifact_id }) =>
    [
      { kind: 'source', source_ref: { name: 'content', source_id } },
      { kind: 'memory', memory_citation: citation },
      { kind: 'artifact', artifact_ref: { family: 'memory', artifact_id, revision: 1 } },
    ].map((one) =>
      post('/v1/handoff/prepare', { scope_id, objective: 'Climb over the wall.', evidence: [one] }),
    ),
  activate_handoff: ({ scope_id, source_id }) => [
    post('/v1/handoff/activate', {
      scope_id,
      boundary_source: { name: 'content', source_id },
      objective: 'Climb over the wall.',
    }),
  ],
  propose_experience: (names) => [
    ...proposals('/v1/experience/propose', names, experience()),
    post('/v1/experience/propose', proposed(names, experience()), { 'idempotency-key': names.key }),
  ],
  propose_skill: (names) => proposals('/v1/skill/propose', names, planted),
  list_artifact_candidates: ({ scope_id, candidatesCursor: cursor }) => [
    post('/v1/artifact-candidates/list', { scope_id }),
    post('/v1/artifact-candidates/list', { scope_id, cursor }),
  ],
  get_artifact_candidate: ({ scope_id, candidate_id }) => [
    post('/v1/artifact-candidates/get', { scope_id, candidate_id }),
  ],
  approve_artifact_candidate: (names) => [1, 2].map((version) => decide('approve', names, version)),
  reject_artifact_candidate: (names) =>
    [1, 2].map((version) => decide('reject', names, version, { reason: 'No.' })),
  revise_artifact_candidate: (names) =>
    [1, 2].map((version) => decide('revise', names, version, proposed(names, experience()))),
  list_candidate_inbox: ({ scope_id, child_scope_id, inboxCursor: cursor }) => [
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'all' } }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'all' }, cursor }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'exact', scope_ids: [scope_id] } }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'subtree', root_scope_id: child_scope_id } }),
  ],
  get_candidate_package_manifest: ({ scope_id, skill_candidate_id: candidate_id }) => [
    post('/v1/artifact-candidates/package/manifest', { scope_id, candidate_id, version: 1 }),
  ],
  download_candidate_package: ({ scope_id, skill_candidate_id: candidate_id }) => [
    post('/v1/artifact-candidates/package/download', { scope_id, candidate_id, version: 1 }),
  ],
  list_candidate_versions: ({ scope_id, candidate_id, versionsCursor: cursor }) => [
    post('/v1/artifact-candidates/versions', { scope_id, candidate_id }),
    post('/v1/artifact-candidates/versions', { scope_id, candidate_id, cursor }),
  ],
  propose_skill_package: (names) => [
    post('/v1/skill/package/propose', {
      scope_id: names.scope_id,
      archive_base64: exampleArchive,
      target: skillOf(names).artifact,
    }),
    post(
      '/v1/skill/package/propose',
      { scope_id: names.scope_id, archive_base64: exampleArchive },
      { 'idempotency-key': names.key },
    ),
  ],
  get_experience: ({ scope_id, experience_id: artifact_id }) => [
    post('/v1/experience/get', { scope_id, artifact: { family: 'experience', artifact_id, revision: 1 } }),
  ],
  get_skill: (names) => [post('/v1/skill/get', skillOf(names))],
  list_managed_skills: ({ scope_id }) => [
    post('/v1/skill/library', { scope_id }),
    post('/v1/skill/library', { scope_id, query: planted.name }),
  ],
  update_skill_lifecycle: ({ scope_id, skill_id: artifact_id }) => [
    post('/v1/skill/lifecycle', {
      scope_id,
      artifact_id,
      expected_generation: 0,
      lifecycle_state: 'retired',
    }),
  ],
  get_skill_package_manifest: (names) => [post('/v1/skill/package/manifest', skillOf(names))],
  download_skill_package: (names) => [post('/v1/skill/package/download', skillOf(names))],
  record_skill_usage: (names) => [
    post('/v1/skill/usage', {
      scope_id: names.scope_id,
      observation_id: names.source_id,
      skill_ref: skillOf(names).artifact,
      package_digest: `sha256:${names.tree_digest}`,
      target_id: 'wall',
      selected: true,
      invoked: 'true',
      validation: 'passed',
      outcome: 'success',
      task_source: { name: 'content', source_id: names.source_id },
    }),
  ],
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
  generate_experience: (names) => [
    post('/v1/experience/generate', { scope_id: names.scope_id, ...referencesOf(names) }),
    post('/v1/experience/generate', {
      scope_id: names.scope_id,
      source_refs: [{ name: 'content', source_id: names.source_id }],
      artifact_refs: [],
    }),
  ],
  generate_skill: ({ scope_id, source_id, skill_id }) => {
    const source_refs = [{ name: 'content', source_id }];
    const target = { family: 'skill', artifact_id: skill_id, revision: 1 };
    return [
      post('/v1/skill/generate', { scope_id, origin: 'source', source_refs, artifact_refs: [] }),
      post('/v1/skill/generate', { scope_id, origin: 'usage', source_refs, artifact_refs: [target], target }),
    ];
  },
  scan_external_skills: ({ scope_id }) => [post('/v1/external-skills/scan', { scope_id })],
  list_external_skills: ({ scope_id }) => [
    post('/v1/external-skills/list', { scope_id }),
    post('/v1/external-skills/list', { scope_id, include_unavailable: true }),
  ],
  resolve_external_skill: ({ scope_id, external_skill_id, skill_fingerprint: fingerprint }) => [
    post('/v1/external-skills/resolve', { scope_id, external_skill_id, fingerprint }),
  ],
  import_external_skill: ({ scope_id, external_skill_id, skill_fingerprint: fingerprint }) =>
    ['import', 'fork'].map((mode) =>
      post('/v1/external-skills/import', { scope_id, external_skill_id, fingerprint, mode }),
    ),
  get_stats: ({ scope_id, child_scope_id }) => [
    post('/v1/stats', { selection: { mode: 'exact', scope_ids: [scope_id, child_scope_id] } }),
    post('/v1/stats', { selection: { mode: 'subtree', root_scope_id: scope_id }, period: 'today' }),
    post('/v1/stats', { selection: { mode: 'all' } }),
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
  list_remote_skill_targets: ({ scope_id, target_id }) => [
    post('/v1/skill/remote/targets', { scope_id }),
    post('/v1/skill/remote/targets', { scope_id, target_id }),
  ],
  create_remote_skill_target: ({ scope_id }) => [
    post('/v1/skill/remote/target/create', { scope_id, agent_kind: 'codex', display_name: 'wall' }),
  ],
  rename_remote_skill_target: ({ scope_id, target_id }) => [
    post('/v1/skill/remote/target/rename', {
      scope_id,
      target_id,
      display_name: 'wall of the second tenant',
      expected_generation: 1,
    }),
  ],
  revoke_remote_skill_target: ({ scope_id, target_id }) => [
    post('/v1/skill/remote/target/revoke', { scope_id, target_id, expected_generation: 1 }),
  ],
  publish_remote_skill: ({ target_id, ...names }) => [
    post('/v1/skill/remote/publication/publish', { ...skillOf(names), target_id, expected_generation: 0 }),
  ],
  unpublish_remote_skill: ({ scope_id, target_id, skill_id: artifact_id }) => [
    post('/v1/skill/remote/publication/unpublish', {
      scope_id,
      target_id,
      artifact_id,
      expected_generation: 0,
    }),
  ],
  list_jobs: ({ scope_id }) => [get('/v1/jobs'), get(`/v1/jobs?scope_id=${scope_id}`)],
  get_job: ({ job_id }) => [get(`/v1/jobs/${job_id}`)],
  cancel_job: ({ job_id }) => [post(`/v1/jobs/${job_id}/cancel`)],
  retry_job: ({ job_id }) => [post(`/v1/jobs/${job_id}/retry`)],
};
