import { z } from 'zod';
import { int, str, token } from '../notation/shapes.ts';
import { requestTime } from '../notation/times.ts';
import { defineOperation, KiB } from '../operations/operation.ts';
import {
  activitySource,
  catalogId,
  newActivity,
  newProject,
  newWorkstream,
  projectDescriptor,
  reportActivity,
  repositoryRefInput,
  workspaceBinding,
  workstreamDescriptor,
  workstreamDescriptorInput,
} from './catalog-shapes.ts';
import { exampleActivity, exampleProject, exampleWorkspace, exampleWorkstream } from './examples.ts';

const catalogTag = { method: 'POST', tag: 'handoff-reports', auth: 'bearer', run: 'direct' } as const;

/** References of 2,048 characters do not fit the usual limit. */
const bodyLimit = 512 * KiB;

const { project_id } = exampleProject;
const limit = int(1, 100).default(50);
const listFields = {
  cursor: str(1, 4096).nullable().default(null),
  limit,
  include_archived: z.boolean().default(false),
};
const expectedVersion = int(1);

function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ items: z.array(item).max(100), next_cursor: z.string().nullable() });
}

const createProject = defineOperation({
  ...catalogTag,
  id: 'create_handoff_report_project',
  path: '/v1/handoff-reports/projects/create',
  summary: 'Create a Project',
  description:
    'A Project groups Scopes for reports. Its key is unique in the tenant. With `Idempotency-Key`, a repeat with an equal body ' +
    'returns the Project in its current version. A Project gives no access right.',
  headers: z.object({ 'idempotency-key': token(1, 256).optional() }),
  body: newProject,
  status: 201,
  response: projectDescriptor,
  errors: ['project_conflict'],
  examples: [
    {
      summary: 'A Project with reports in English',
      body: { project_key: 'shop', title: 'Web shop', default_locale: 'en', timezone: 'Europe/Berlin' },
      response: exampleProject,
    },
  ],
});

const getProject = defineOperation({
  ...catalogTag,
  id: 'get_handoff_report_project',
  path: '/v1/handoff-reports/projects/get',
  summary: 'Get a Project',
  body: z.strictObject({ project_id: catalogId }),
  status: 200,
  response: projectDescriptor,
  errors: ['project_not_found'],
  examples: [{ summary: 'A Project', body: { project_id }, response: exampleProject }],
});

const listProjects = defineOperation({
  ...catalogTag,
  id: 'list_handoff_report_projects',
  path: '/v1/handoff-reports/projects/list',
  summary: 'List the Projects of the tenant',
  description:
    'Ascending by `project_id`. Archived Projects only with `include_archived`. A cursor does not expire.',
  body: z.strictObject(listFields),
  status: 200,
  response: pageOf(projectDescriptor),
  errors: ['invalid_cursor'],
  examples: [
    { summary: 'The first page', body: {}, response: { items: [exampleProject], next_cursor: null } },
  ],
});

const updateProject = defineOperation({
  ...catalogTag,
  id: 'update_handoff_report_project',
  path: '/v1/handoff-reports/projects/update',
  summary: 'Replace the descriptor of a Project',
  description:
    'Send the whole descriptor with `version` one above `expected_version`. To archive a Project, set its ' +
    '`catalog_state`: lists then omit it, and all other operations still accept it. An equal repeat returns the first ' +
    'answer.',
  body: z.strictObject({ project: projectDescriptor, expected_version: expectedVersion }),
  status: 200,
  response: projectDescriptor,
  errors: ['project_not_found', 'project_conflict'],
  examples: [
    {
      summary: 'Another title',
      body: { project: { ...exampleProject, title: 'Shop', version: 2 }, expected_version: 1 },
      response: { ...exampleProject, title: 'Shop', version: 2 },
    },
  ],
});

const registerWorkstream = defineOperation({
  ...catalogTag,
  id: 'register_handoff_report_workstream',
  path: '/v1/handoff-reports/workstreams/register',
  summary: 'Register a Scope as a Workstream of a Project',
  description:
    'A Scope belongs to at most one Project, permanently. Creates an unknown Scope. Until the Workstream is updated, an equal ' +
    'repeat returns the first answer.',
  bodyLimit,
  body: newWorkstream,
  status: 201,
  response: workstreamDescriptor,
  errors: ['project_not_found', 'workstream_conflict'],
  examples: [
    {
      summary: 'A feature with an issue',
      body: {
        project_id,
        scope_id: exampleWorkstream.scope_id,
        title: exampleWorkstream.title,
        kind: exampleWorkstream.kind,
        key: exampleWorkstream.key,
        external_refs: exampleWorkstream.external_refs,
      },
      response: exampleWorkstream,
    },
  ],
});

const listWorkstreams = defineOperation({
  ...catalogTag,
  id: 'list_handoff_report_workstreams',
  path: '/v1/handoff-reports/workstreams/list',
  summary: 'List the Workstreams of a Project',
  description:
    'Ascending by `scope_id`. Archived Workstreams only with `include_archived`. A cursor does not expire.',
  body: z.strictObject({ project_id: catalogId, ...listFields }),
  status: 200,
  response: pageOf(workstreamDescriptor),
  errors: ['invalid_cursor', 'project_not_found'],
  examples: [
    {
      summary: 'The first page',
      body: { project_id },
      response: { items: [exampleWorkstream], next_cursor: null },
    },
  ],
});

const updateWorkstream = defineOperation({
  ...catalogTag,
  id: 'update_handoff_report_workstream',
  path: '/v1/handoff-reports/workstreams/update',
  summary: 'Replace the descriptor of a Workstream',
  description:
    'Send the whole descriptor with `version` one above `expected_version`. `scope_id` names the Workstream, and its Project ' +
    'never changes. An archived Workstream appears in no list and no report.',
  bodyLimit,
  body: z.strictObject({ workstream: workstreamDescriptorInput, expected_version: expectedVersion }),
  status: 200,
  response: workstreamDescriptor,
  errors: ['workstream_not_found', 'workstream_conflict'],
  examples: [
    {
      summary: 'Archive a Workstream',
      body: {
        workstream: { ...exampleWorkstream, catalog_state: 'archived', version: 2 },
        expected_version: 1,
      },
      response: { ...exampleWorkstream, catalog_state: 'archived', version: 2 },
    },
  ],
});

const recordActivity = defineOperation({
  ...catalogTag,
  id: 'record_handoff_report_activity',
  path: '/v1/handoff-reports/activities/record',
  summary: 'Record an observed event of a Project',
  description:
    '`source` and `source_event_id` identify an event in the tenant: an equal repeat returns the first answer. ' +
    'Send `occurred_at` if and only if `time_basis` is `source_reported`. An event never creates a Scope, and is no evidence.',
  bodyLimit,
  body: newActivity,
  status: 201,
  response: z.strictObject({ cursor: int(1), event: reportActivity }),
  errors: ['project_not_found', 'activity_event_conflict'],
  examples: [
    {
      summary: 'A commit',
      body: {
        project_id,
        scope_id: exampleActivity.scope_id,
        source: exampleActivity.source,
        source_event_id: exampleActivity.source_event_id,
        occurred_at: '2026-10-01T12:02:00+02:00',
        time_basis: exampleActivity.time_basis,
        title: exampleActivity.title,
        vcs_context: exampleActivity.vcs_context,
      },
      response: { cursor: 1, event: exampleActivity },
    },
  ],
});

const listActivities = defineOperation({
  ...catalogTag,
  id: 'list_handoff_report_activities',
  path: '/v1/handoff-reports/activities/list',
  summary: 'List the activities of a Project',
  description:
    'Ascending by cursor, after `after_cursor` and up to `through_cursor`. Pass the `high_watermark` of the first page as ' +
    '`through_cursor` to list the activities of that time. A period selects by effective time, and omits events without one.',
  body: z.strictObject({
    project_id: catalogId,
    period_start: requestTime.nullable().default(null),
    period_end: requestTime.nullable().default(null),
    sources: z.array(activitySource).max(5).nullable().default(null),
    after_cursor: int(0).default(0),
    through_cursor: int(0).nullable().default(null),
    limit,
  }),
  status: 200,
  response: z.strictObject({
    items: z.array(reportActivity).max(100),
    next_cursor: int(1).nullable(),
    high_watermark: int(0),
  }),
  errors: ['project_not_found'],
  examples: [
    {
      summary: 'The first page',
      body: { project_id },
      response: { items: [exampleActivity], next_cursor: null, high_watermark: 1 },
    },
  ],
});

const purgeActivities = defineOperation({
  ...catalogTag,
  id: 'purge_handoff_report_activities',
  path: '/v1/handoff-reports/activities/purge',
  summary: 'Delete old activities of a Project',
  description:
    'Deletes the events that were observed before `observed_before`, and the stored reports of the Project. Reports that ' +
    'are requested after the answer contain none of their text.',
  body: z.strictObject({ project_id: catalogId, observed_before: requestTime }),
  status: 200,
  response: z.strictObject({ deleted_count: int(0) }),
  errors: ['project_not_found'],
  examples: [
    {
      summary: 'Delete everything from before October',
      body: { project_id, observed_before: '2026-10-01T00:00:00Z' },
      response: { deleted_count: 12 },
    },
  ],
});

const workspaceId = { workspace_instance_id: catalogId };
const { workspace_instance_id, repository_ref } = exampleWorkspace;

const getWorkspace = defineOperation({
  ...catalogTag,
  id: 'get_handoff_report_workspace',
  path: '/v1/handoff-reports/workspace-bindings/get',
  summary: 'Get the Project that a workspace is attached to',
  description: 'Returns a confirmed binding only.',
  body: z.strictObject(workspaceId),
  status: 200,
  response: workspaceBinding,
  errors: ['workspace_binding_not_found'],
  examples: [{ summary: 'A workspace', body: { workspace_instance_id }, response: exampleWorkspace }],
});

const attachWorkspace = defineOperation({
  ...catalogTag,
  id: 'attach_handoff_report_workspace',
  path: '/v1/handoff-reports/workspace-bindings/attach',
  summary: 'Attach a workspace to a Project',
  description:
    'Send `expected_version` null for the first binding, then the current version. Detach a workspace before you attach it to ' +
    'another Project. `repository_ref` is normalized, and is only a hint.',
  isUnsafeToRepeat: true,
  body: z.strictObject({
    ...workspaceId,
    project_id: catalogId,
    repository_ref: repositoryRefInput,
    expected_version: expectedVersion.nullable(),
  }),
  status: 200,
  response: workspaceBinding,
  errors: ['project_not_found', 'workspace_binding_conflict'],
  examples: [
    {
      summary: 'The first time',
      body: { workspace_instance_id, project_id, repository_ref, expected_version: null },
      response: exampleWorkspace,
    },
  ],
});

const detachWorkspace = defineOperation({
  ...catalogTag,
  id: 'detach_handoff_report_workspace',
  path: '/v1/handoff-reports/workspace-bindings/detach',
  summary: 'Detach a workspace from its Project',
  isUnsafeToRepeat: true,
  body: z.strictObject({ ...workspaceId, expected_version: expectedVersion }),
  status: 200,
  response: workspaceBinding,
  errors: ['workspace_binding_conflict'],
  examples: [
    {
      summary: 'A workspace',
      body: { workspace_instance_id, expected_version: 1 },
      response: { ...exampleWorkspace, state: 'detached', version: 2 },
    },
  ],
});

export const catalogOperations = {
  create_handoff_report_project: createProject,
  get_handoff_report_project: getProject,
  list_handoff_report_projects: listProjects,
  update_handoff_report_project: updateProject,
  register_handoff_report_workstream: registerWorkstream,
  list_handoff_report_workstreams: listWorkstreams,
  update_handoff_report_workstream: updateWorkstream,
  record_handoff_report_activity: recordActivity,
  list_handoff_report_activities: listActivities,
  purge_handoff_report_activities: purgeActivities,
  get_handoff_report_workspace: getWorkspace,
  attach_handoff_report_workspace: attachWorkspace,
  detach_handoff_report_workspace: detachWorkspace,
};
