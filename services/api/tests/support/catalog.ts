import { randomUUID } from 'node:crypto';
import type { ProjectDescriptor, WorkstreamDescriptor } from '@continuity/contract/reports';
import type { CallInput, Client, OperationId } from '@continuity/testing';

type Body<Id extends OperationId> = NonNullable<CallInput<Id>['body']>;

/** A key that no other test uses. */
export const freshKey = (): string => randomUUID();

/** Short calls of the report catalog. */
export function catalogCalls(client: Client) {
  const calls = {
    create: (body: Partial<Body<'create_handoff_report_project'>> = {}, key?: string) =>
      client.call('create_handoff_report_project', {
        body: { project_key: freshKey(), title: 'A project', ...body },
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      }),
    /** Creates a Project. */
    made: async (body: Partial<Body<'create_handoff_report_project'>> = {}) =>
      (await calls.create(body)).body,
    get: (project_id: string) => client.call('get_handoff_report_project', { body: { project_id } }),
    /** Sends the next version of a Project. */
    update: (project: ProjectDescriptor, change: Partial<ProjectDescriptor> = {}) =>
      client.call('update_handoff_report_project', {
        body: {
          project: { ...project, version: project.version + 1, ...change },
          expected_version: project.version,
        },
      }),
    projects: (body: Body<'list_handoff_report_projects'> = {}) =>
      client.call('list_handoff_report_projects', { body }),
    register: (
      project_id: string,
      scope_id: string,
      fields: Partial<Body<'register_handoff_report_workstream'>> = {},
    ) =>
      client.call('register_handoff_report_workstream', {
        body: { project_id, scope_id, title: 'A workstream', kind: 'feature', ...fields },
      }),
    updateWorkstream: (workstream: WorkstreamDescriptor, change: Partial<WorkstreamDescriptor> = {}) =>
      client.call('update_handoff_report_workstream', {
        body: {
          workstream: { ...workstream, version: workstream.version + 1, ...change },
          expected_version: workstream.version,
        },
      }),
    workstreams: (project_id: string, fields: object = {}) =>
      client.call('list_handoff_report_workstreams', { body: { project_id, ...fields } }),
    record: (project_id: string, fields: Partial<Body<'record_handoff_report_activity'>> = {}) =>
      client.call('record_handoff_report_activity', {
        body: {
          project_id,
          source: 'coding_session',
          source_event_id: freshKey(),
          time_basis: 'host_observed',
          ...fields,
        },
      }),
    activities: (project_id: string, fields: object = {}) =>
      client.call('list_handoff_report_activities', { body: { project_id, ...fields } }),
    purge: (project_id: string, observed_before = '9999-12-31T00:00:00Z') =>
      client.call('purge_handoff_report_activities', { body: { project_id, observed_before } }),
    binding: (workspace_instance_id: string) =>
      client.call('get_handoff_report_workspace', { body: { workspace_instance_id } }),
    attach: (
      workspace_instance_id: string,
      project_id: string,
      expected_version: number | null,
      repository_ref: Body<'attach_handoff_report_workspace'>['repository_ref'] = {
        provider: 'local',
        subpath: '.',
      },
    ) =>
      client.call('attach_handoff_report_workspace', {
        body: { workspace_instance_id, project_id, repository_ref, expected_version },
      }),
    detach: (workspace_instance_id: string, expected_version: number) =>
      client.call('detach_handoff_report_workspace', { body: { workspace_instance_id, expected_version } }),
  };
  return calls;
}
