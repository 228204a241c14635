import { citeSource } from '@continuity/contract/evidence';
import type { Client } from '@continuity/testing';
import { handoffContent } from './handoff.ts';
import { freshScope } from './memory.ts';
import type { Names } from './planted.ts';

/** Creates revision one of a Handoff, and acknowledges it. */
export async function handOver(
  client: Client,
  { scope_id, source_id, receipt_id }: Pick<Names, 'scope_id' | 'source_id' | 'receipt_id'>,
): Promise<void> {
  const claim = { text: 'The walls stand.', citations: [citeSource({ name: 'content', source_id })] };
  const created = await client.call('create_artifact', {
    params: { scope_id },
    body: { family: 'handoff', content: handoffContent({ state: [claim] }) },
  });
  const { family, artifact_id, revision } = created.body;
  const confirmed = { live_state: 'confirmed', capability: 'confirmed', authorization: 'confirmed' } as const;
  const acknowledged = await client.call('acknowledge_handoff', {
    body: {
      scope_id,
      source_id: receipt_id,
      receiver: 'mason',
      status: 'accepted',
      selection: 'exact',
      receiver_checks: confirmed,
      revision: { family, artifact_id, revision },
    },
  });
  if (acknowledged.status !== 200) throw new Error('The service refused to acknowledge the Handoff.');
}

/** Creates a Project with two Workstreams, an event and a workspace. Another Project makes a second page. */
export async function plantProject(
  client: Client,
  { scope_id, child_scope_id, key }: Pick<Names, 'scope_id' | 'child_scope_id' | 'key'>,
) {
  const project_key = freshScope('project');
  const { project_id } = (
    await client.call('create_handoff_report_project', {
      body: { project_key, title: 'Walls' },
      headers: { 'idempotency-key': key },
    })
  ).body;
  await client.call('create_handoff_report_project', {
    body: { project_key: freshScope('project'), title: 'More walls' },
  });
  for (const [id, own] of [
    [scope_id, project_key],
    [child_scope_id, null],
  ] as const) {
    await client.call('register_handoff_report_workstream', {
      body: { project_id, scope_id: id, title: 'Wall', kind: 'other', key: own },
    });
  }
  const event_id = freshScope('event');
  await client.call('record_handoff_report_activity', {
    body: {
      project_id,
      scope_id,
      source: 'other',
      source_event_id: event_id,
      time_basis: 'first_seen',
      title: 'A wall',
    },
  });
  const workspace_id = freshScope('workspace');
  await client.call('attach_handoff_report_workspace', {
    body: {
      workspace_instance_id: workspace_id,
      project_id,
      repository_ref: { provider: 'local', subpath: 'walls' },
      expected_version: null,
    },
  });
  const projects = await client.call('list_handoff_report_projects', { body: { limit: 1 } });
  const workstreams = await client.call('list_handoff_report_workstreams', {
    body: { project_id, limit: 1 },
  });
  return {
    project_id,
    project_key,
    projectsCursor: projects.body.next_cursor ?? '',
    workstreamsCursor: workstreams.body.next_cursor ?? '',
    event_id,
    workspace_id,
  };
}
