import type { ErrorCode, OperationSpec } from '@continuity/contract';
import type { Client, OperationId } from '@continuity/testing';
import { type Request, sendExample } from './requests.ts';

/** The examples of the catalog share names, so each test takes names of its own: those of its Scope. */
type Prepare = (client: Client, scope: string) => Promise<Partial<Request>>;

/** Creates the Project of a Scope, whose key is the id of the Scope cut to the limit of a key. */
export async function createProject(client: Client, scope: string, suffix = ''): Promise<string> {
  const body = { project_key: keyOf(scope) + suffix };
  return String((await sendExample(client, 'create_handoff_report_project', scope, { body }))['project_id']);
}

const keyOf = (scope: string) => scope.slice(-40);

async function register(client: Client, scope: string): Promise<Record<string, unknown>> {
  const project_id = await createProject(client, scope);
  return sendExample(client, 'register_handoff_report_workstream', scope, { body: { project_id } });
}

async function attach(client: Client, scope: string): Promise<Record<string, unknown>> {
  const body = { project_id: await createProject(client, scope), workspace_instance_id: scope };
  return sendExample(client, 'attach_handoff_report_workspace', scope, { body });
}

const inProject: Prepare = async (client, scope) => ({
  body: { project_id: await createProject(client, scope) },
});

/** Preconditions of the operations of the catalog. */
export const catalogArrangements: Partial<Record<OperationId, Prepare>> = {
  create_handoff_report_project: async (_client, scope) => ({ body: { project_key: keyOf(scope) } }),
  get_handoff_report_project: inProject,
  update_handoff_report_project: async (client, scope) => {
    const project_id = await createProject(client, scope);
    return { body: { project: { ...(await readProject(client, scope, project_id)), version: 2 } } };
  },
  register_handoff_report_workstream: inProject,
  list_handoff_report_workstreams: inProject,
  update_handoff_report_workstream: async (client, scope) => ({
    body: { workstream: { ...(await register(client, scope)), version: 2 } },
  }),
  record_handoff_report_activity: async (client, scope) => ({
    body: { project_id: await createProject(client, scope), source_event_id: scope },
  }),
  list_handoff_report_activities: inProject,
  purge_handoff_report_activities: inProject,
  get_handoff_report_workspace: async (client, scope) => {
    await attach(client, scope);
    return { body: { workspace_instance_id: scope } };
  },
  attach_handoff_report_workspace: async (client, scope) => ({
    body: { project_id: await createProject(client, scope), workspace_instance_id: scope },
  }),
  detach_handoff_report_workspace: async (client, scope) => {
    await attach(client, scope);
    return { body: { workspace_instance_id: scope } };
  },
};

function readProject(client: Client, scope: string, project_id: string): Promise<Record<string, unknown>> {
  return sendExample(client, 'get_handoff_report_project', scope, { body: { project_id } });
}

/** Brings about a conflict of the catalog. */
export const catalogConflicts: Partial<
  Record<ErrorCode, (client: Client, scope: string, operation: OperationSpec) => Promise<Partial<Request>>>
> = {
  project_conflict: async (client, scope, operation) => {
    const project_id = await createProject(client, scope);
    if (operation.id === 'create_handoff_report_project') return { body: { project_key: keyOf(scope) } };
    const project = await readProject(client, scope, project_id);
    return { body: { project: { ...project, version: 4 }, expected_version: 3 } };
  },
  workstream_conflict: async (client, scope, operation) => {
    const workstream = await register(client, scope);
    if (operation.id === 'register_handoff_report_workstream') {
      return { body: { project_id: await createProject(client, scope, '2') } };
    }
    return { body: { workstream: { ...workstream, version: 4 }, expected_version: 3 } };
  },
  activity_event_conflict: async (client, scope) => {
    const body = { project_id: await createProject(client, scope), source_event_id: scope };
    await sendExample(client, 'record_handoff_report_activity', scope, { body });
    return { body: { ...body, title: 'Another title' } };
  },
  workspace_binding_conflict: async (client, scope, operation) => {
    const { project_id } = await attach(client, scope);
    const body = { workspace_instance_id: scope, expected_version: 2 };
    return { body: operation.id === 'detach_handoff_report_workspace' ? body : { ...body, project_id } };
  },
};
