import type { Issue } from '@continuity/contract';
import type { catalogOperations } from '@continuity/contract/reports';
import type { Database } from '@continuity/kernel/database';
import { invalidRequest, requireNoIssues } from '@continuity/kernel/errors';
import type { CursorCodec, Handlers } from '@continuity/shared/handlers';
import { findKeyIssues } from './keys.ts';
import { findPeriodIssues, listActivities, listProjects, listWorkstreams } from './list.ts';
import { readProject } from './project-descriptor.ts';
import { purgeActivities } from './purge-activities.ts';
import { findActivityIssues, recordActivity } from './record-activity.ts';
import { normalizeRepositoryRef } from './repository-ref.ts';
import { attachWorkspace, detachWorkspace, readBinding } from './workspaces.ts';
import { createProject, updateProject } from './write-project.ts';
import { registerWorkstream, updateWorkstream } from './write-workstream.ts';

/** Dependencies of the operations on the report catalog. */
export interface CatalogDeps {
  database: Database;
  cursors: CursorCodec;
}

export const catalogHandlers: Handlers<typeof catalogOperations, CatalogDeps> = {
  create_handoff_report_project: async ({ database }, { tenantId }, { headers, body }) => {
    requireNoIssues(findKeyIssues('project_key', body.project_key));
    return { body: await createProject(database, tenantId, body, headers['idempotency-key']) };
  },

  get_handoff_report_project: async ({ database }, { tenantId }, { body }) => ({
    body: await readProject(database, tenantId, body.project_id),
  }),

  list_handoff_report_projects: async ({ database, cursors }, { tenantId }, { body }) => ({
    body: await listProjects(database, cursors, tenantId, body),
  }),

  update_handoff_report_project: async ({ database }, { tenantId }, { body }) => {
    const { project, expected_version } = body;
    requireNoIssues([
      ...findVersionIssues('project', project.version, expected_version),
      ...findKeyIssues('project.project_key', project.project_key),
    ]);
    return { body: await updateProject(database, tenantId, project) };
  },

  register_handoff_report_workstream: async ({ database }, { tenantId }, { body }) => {
    requireNoIssues(findKeyIssues('key', body.key));
    return { body: await registerWorkstream(database, tenantId, body) };
  },

  list_handoff_report_workstreams: async ({ database, cursors }, { tenantId }, { body }) =>
    await listWorkstreams(database, cursors, tenantId, body),

  update_handoff_report_workstream: async ({ database }, { tenantId }, { body }) => {
    const { workstream, expected_version } = body;
    requireNoIssues([
      ...findVersionIssues('workstream', workstream.version, expected_version),
      ...findKeyIssues('workstream.key', workstream.key),
    ]);
    return { body: await updateWorkstream(database, tenantId, workstream) };
  },

  record_handoff_report_activity: async ({ database }, { tenantId }, { body }) => {
    requireNoIssues(findActivityIssues(body));
    return { body: await recordActivity(database, tenantId, body) };
  },

  list_handoff_report_activities: async ({ database }, { tenantId }, { body }) => {
    requireNoIssues(findPeriodIssues(body));
    return await listActivities(database, tenantId, body);
  },

  purge_handoff_report_activities: async ({ database }, { tenantId }, { body }) => ({
    body: {
      deleted_count: await purgeActivities(database, tenantId, body.project_id, body.observed_before),
    },
  }),

  get_handoff_report_workspace: async ({ database }, { tenantId }, { body }) => ({
    body: await readBinding(database, tenantId, body.workspace_instance_id),
  }),

  attach_handoff_report_workspace: async ({ database }, { tenantId }, { body }) => {
    const normalized = normalizeRepositoryRef(body.repository_ref);
    if ('issues' in normalized) throw invalidRequest(normalized.issues);
    const binding = await attachWorkspace(database, tenantId, {
      workspaceId: body.workspace_instance_id,
      projectId: body.project_id,
      repositoryRef: normalized.ref,
      expectedVersion: body.expected_version,
    });
    return { body: binding };
  },

  detach_handoff_report_workspace: async ({ database }, { tenantId }, { body }) => ({
    body: await detachWorkspace(database, tenantId, body.workspace_instance_id, body.expected_version),
  }),
};

function findVersionIssues(name: string, version: number, expected: number): Issue[] {
  if (version === expected + 1) return [];
  return [{ path: `${name}.version`, message: 'must be one above expected_version' }];
}
