import { randomBytes } from 'node:crypto';
import { newId } from '@continuity/kernel/text';
import type { Client } from '@continuity/testing';
import { observation, registered, submitted } from './connectors.ts';
import { documentCalls, experience, skill } from './documents.ts';
import { type Citation, freshScope, remember } from './memory.ts';
import { handOver, plantProject } from './planted-work.ts';
import { remoteCalls } from './remote-skills.ts';
import { capture } from './sources.ts';

/** Names of a tenant's data, with which a caller can request it. */
export interface Names {
  scope_id: string;
  citation: Citation;
  source_id: string;
  key: string;
  entriesCursor: string;
  changesCursor: string;
  /** An entry that was revised, and a cursor of its history. */
  revised_id: string;
  historyCursor: string;
  /** A Memory Artifact besides the Scope Memory, the ETag of its head, and a cursor of the list of Artifacts. */
  artifact_id: string;
  etag: string;
  /** The receipt of the Scope's Handoff. Revision one of the Handoff cites `source_id`. */
  receipt_id: string;
  artifactsCursor: string;
  /** A cursor of the revisions of the Scope Memory. */
  revisionsCursor: string;
  /** An Experience, and a Skill with the digests of its package. */
  experience_id: string;
  skill_id: string;
  tree_digest: string;
  archive_digest: string;
  /** A registered External Skill. */
  external_skill_id: string;
  skill_fingerprint: string;
  /** An active remote target to which the Skill is published. */
  target_id: string;
  /** A pending Experience Candidate of two versions, a Skill Candidate, and cursors of their lists. */
  candidate_id: string;
  skill_candidate_id: string;
  candidatesCursor: string;
  inboxCursor: string;
  versionsCursor: string;
  scopesCursor: string;
  /** A child Scope of `scope_id`. Its creation and the publication of the Experience into it use the idempotency key `key`. */
  child_scope_id: string;
  /** External id of a key that is bound to `scope_id`. */
  bound_id: string;
  job_id: string;
  /** A registered type of Source, and an observation of it. */
  source_type: string;
  observed_id: string;
  /** A binding of a connector that has committed a checkpoint. */
  binding_id: string;
  sourcesCursor: string;
  /** A Project whose creation used the idempotency key `key`, with `scope_id` as a Workstream of the same key and an event. */
  project_id: string;
  project_key: string;
  projectsCursor: string;
  workstreamsCursor: string;
  event_id: string;
  /** A workspace that is attached to the Project. */
  workspace_id: string;
}

/** Content of the Skill that `plant` creates. */
export const planted = skill();

const content = 'We decided to keep the walls between tenants.';

/** Creates data of every kind in a new Scope of the client's tenant, which has an External Skill. */
export async function plant(client: Client): Promise<Names> {
  const scope_id = freshScope();
  const source_id = freshScope('source');
  const key = freshScope('key');
  const revised = await plantHistory(client, scope_id);
  await remember(client, scope_id, 'second wall');
  const { entry } = await remember(client, scope_id, 'third wall');
  await capture(client, scope_id, source_id, content);
  await client.call('create_source', {
    params: { scope_id },
    body: { content: 'of the first tenant' },
    headers: { 'idempotency-key': key },
  });
  const artifact = await client.call('create_artifact', {
    params: { scope_id },
    body: { family: 'memory', content: { entries: [{ kind: 'fact', text: 'fourth wall' }] } },
    headers: { 'idempotency-key': key },
  });
  const revisions = await client.call('list_artifact_revisions', {
    params: { scope_id, family: 'memory', artifact_id: 'memory' },
    query: { limit: '1' },
  });
  const artifacts = await client.call('list_artifacts', {
    params: { scope_id, family: 'memory' },
    query: { limit: '1' },
  });
  const documents = documentCalls(client);
  const lesson = await documents.createExperience(scope_id);
  const skill = await documents.createSkill(scope_id, planted);
  const kept = await documents.skillOf(scope_id, skill.body.artifact_id);
  const [external] = (await client.call('scan_external_skills', { body: { scope_id } })).body.registrations;
  const candidates = await plantCandidates(client, { scope_id, source_id, key });
  const receipt_id = freshScope('receipt');
  await handOver(client, { scope_id, source_id, receipt_id });
  const child = await client.call('create_scope', {
    body: { title: 'Child', summary: 'Below.', parent_scope_id: scope_id, idempotency_key: key },
  });
  await client.call('publish_artifact', {
    body: {
      source: {
        scope_id,
        artifact: { family: 'experience', artifact_id: lesson.body.artifact_id, revision: 1 },
      },
      target_scope_id: child.body.scope_id,
      idempotency_key: key,
    },
  });
  const bound_id = freshScope('bound');
  await client.call('set_scope_binding', { body: { key: bindingKey(bound_id), scope_id } });
  const observed = { source_type: freshScope('type'), observed_id: freshScope('observed') };
  const typed = await registered(client, { name: observed.source_type });
  await submitted(client, scope_id, observation(typed, observed.observed_id, content));
  const binding_id = freshScope('binding');
  await client.call('commit_connector_checkpoint', {
    body: {
      binding: connectorBinding(scope_id, binding_id),
      expected: null,
      checkpoint: 'of the first tenant',
    },
  });
  const sources = await client.call('list_sources', { params: { scope_id }, query: { limit: '1' } });
  const scopes = await client.call('list_scopes', { query: { limit: '1' } });
  const entries = await client.call('list_memory_entries', { body: { scope_id, limit: 1 } });
  const changes = await client.call('list_memory_changes', {
    body: { scope_id, since_revision: 0, limit: 1 },
  });
  const job = await client.send('POST', '/v1/memory/flush', { scope_id }, { prefer: 'respond-async' });
  return {
    scope_id,
    citation: entry.citation,
    source_id,
    key,
    entriesCursor: entries.body.next_cursor ?? '',
    changesCursor: changes.body.next_cursor ?? '',
    ...revised,
    artifact_id: artifact.body.artifact_id,
    etag: artifact.headers.get('etag') ?? '',
    receipt_id,
    artifactsCursor: artifacts.body.next_cursor ?? '',
    revisionsCursor: revisions.body.next_cursor ?? '',
    experience_id: lesson.body.artifact_id,
    skill_id: skill.body.artifact_id,
    tree_digest: kept.package?.tree_digest ?? '',
    archive_digest: kept.package?.archive_digest ?? '',
    external_skill_id: external?.external_skill_id ?? '',
    skill_fingerprint: external?.fingerprint ?? '',
    target_id: await plantTarget(client, scope_id, skill.body.artifact_id),
    ...candidates,
    scopesCursor: scopes.body.next_cursor ?? '',
    child_scope_id: child.body.scope_id,
    bound_id,
    job_id: (job.json as { job_id: string }).job_id,
    ...observed,
    binding_id,
    sourcesCursor: sources.body.next_cursor ?? '',
    ...(await plantProject(client, { scope_id, child_scope_id: child.body.scope_id, key })),
  };
}

/** Returns unknown names in the same format as `like`. */
export function inventNames(like: Names): Names {
  return {
    scope_id: freshScope(),
    citation: { ...like.citation, entry_id: newId(), entry_version_id: newId() },
    source_id: freshScope('source'),
    key: freshScope('key'),
    entriesCursor: inventCursor(like.entriesCursor),
    changesCursor: inventCursor(like.changesCursor),
    revised_id: newId(),
    historyCursor: inventCursor(like.historyCursor),
    artifact_id: newId(),
    receipt_id: freshScope('receipt'),
    etag: `"1-${randomBytes(16).toString('hex')}"`,
    artifactsCursor: inventCursor(like.artifactsCursor),
    revisionsCursor: inventCursor(like.revisionsCursor),
    experience_id: newId(),
    skill_id: newId(),
    tree_digest: randomBytes(32).toString('hex'),
    archive_digest: randomBytes(32).toString('hex'),
    external_skill_id: `codex:project:repository/${newId()}`,
    skill_fingerprint: randomBytes(32).toString('hex'),
    target_id: `codex-${randomBytes(6).toString('hex')}`,
    candidate_id: newId(),
    skill_candidate_id: newId(),
    candidatesCursor: inventCursor(like.candidatesCursor),
    inboxCursor: inventCursor(like.inboxCursor),
    versionsCursor: inventCursor(like.versionsCursor),
    scopesCursor: inventCursor(like.scopesCursor),
    child_scope_id: newId(),
    bound_id: freshScope('bound'),
    job_id: newId(),
    source_type: freshScope('type'),
    observed_id: freshScope('observed'),
    binding_id: freshScope('binding'),
    sourcesCursor: inventCursor(like.sourcesCursor),
    project_id: newId(),
    project_key: freshScope('project'),
    projectsCursor: inventCursor(like.projectsCursor),
    workstreamsCursor: inventCursor(like.workstreamsCursor),
    event_id: freshScope('event'),
    workspace_id: freshScope('workspace'),
  };
}

/** Remembers an entry and revises it. */
async function plantHistory(client: Client, scope_id: string) {
  const { entry } = await remember(client, scope_id, 'first wall');
  const { entry_id: revised_id } = entry.citation;
  await client.call('revise_memory_entry', {
    body: { scope_id, citation: entry.citation, kind: 'fact', text: 'first wall, higher' },
  });
  const history = await client.call('list_memory_entry_history', {
    body: { scope_id, entry_id: revised_id, limit: 1 },
  });
  return { revised_id, historyCursor: history.body.next_cursor ?? '' };
}

/** Enrolls a target and publishes the Skill to it. */
async function plantTarget(client: Client, scope_id: string, artifact_id: string): Promise<string> {
  const { target_id } = await remoteCalls(client).enrolled(scope_id);
  const artifact = { family: 'skill', artifact_id, revision: 1 };
  await remoteCalls(client).publish(scope_id, target_id, artifact);
  return target_id;
}

/** Proposes an Experience, which it revises, and a Skill. */
async function plantCandidates(
  client: Client,
  { scope_id, source_id, key }: Pick<Names, 'scope_id' | 'source_id' | 'key'>,
) {
  const evidence = { source_refs: [{ name: 'content', source_id }], artifact_refs: [] };
  const proposal = experience();
  const propose = (headers: Record<string, string> = {}) =>
    client.call('propose_experience', { headers, body: { scope_id, proposal, ...evidence } });
  const { candidate_id } = (await propose({ 'idempotency-key': key })).body;
  const tool = await client.call('propose_skill', { body: { scope_id, proposal: planted, ...evidence } });
  await client.call('revise_artifact_candidate', {
    body: { scope_id, candidate_id, expected_version: 1, proposal, ...evidence },
  });
  const list = await client.call('list_artifact_candidates', { body: { scope_id, limit: 1 } });
  const inbox = await client.call('list_candidate_inbox', { body: { selection: { mode: 'all' }, limit: 1 } });
  const versions = await client.call('list_candidate_versions', {
    body: { scope_id, candidate_id, limit: 1 },
  });
  return {
    candidate_id,
    skill_candidate_id: tool.body.candidate_id,
    inboxCursor: inbox.body.next_cursor ?? '',
    candidatesCursor: list.body.next_cursor ?? '',
    versionsCursor: versions.body.next_cursor ?? '',
  };
}

/** The key of a Scope binding with this external id. */
export const bindingKey = (external_id: string) => ({ integration: 'test', kind: 'workspace', external_id });

/** The binding of a connector with this id. */
export const connectorBinding = (scope_id: string, binding_id: string) => ({
  scope_id,
  binding_id,
  connector_name: 'test',
  connector_version: '1',
});

function inventCursor(like: string): string {
  return randomBytes(Buffer.from(like, 'base64url').length).toString('base64url');
}

/** Reads everything that the names refer to, as the tenant itself. */
export async function viewOf(client: Client, names: Names) {
  const {
    scope_id,
    citation,
    source_id,
    receipt_id,
    job_id,
    artifact_id,
    bound_id,
    child_scope_id,
    skill_id,
    source_type,
    observed_id,
    binding_id,
    candidate_id,
    project_id,
    workspace_id,
  } = names;
  const reads: [string, string, unknown?][] = [
    ['POST', '/v1/memory/entries/list', { scope_id, include_inactive: true }],
    ['POST', '/v1/memory/changes', { scope_id, since_revision: 0 }],
    ['POST', '/v1/memory/search', { scope_id, query: 'wall tenants' }],
    ['POST', '/v1/memory/entries/get', { scope_id, citation }],
    ['GET', `/v1/scopes/${scope_id}/sources/content/${source_id}`],
    ['GET', `/v1/scopes/${scope_id}/artifacts/memory`],
    ['GET', `/v1/scopes/${scope_id}/artifacts/handoff/handoff`],
    ['GET', `/v1/scopes/${scope_id}/sources/content/${receipt_id}`],
    ['GET', `/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`],
    ['GET', `/v1/scopes/${scope_id}/artifacts/experience`],
    ['GET', `/v1/scopes/${child_scope_id}/artifacts/experience`],
    ['GET', `/v1/scopes/${scope_id}/artifacts/skill/${skill_id}`],
    ['POST', '/v1/skill/library', { scope_id }],
    ['POST', '/v1/external-skills/list', { scope_id, include_unavailable: true }],
    ['POST', '/v1/skill/remote/targets', { scope_id }],
    ['GET', `/v1/scopes/${scope_id}`],
    ['GET', '/v1/scopes/default'],
    ['POST', '/v1/scopes/selection/resolve', { selection: { mode: 'subtree', root_scope_id: scope_id } }],
    ['POST', '/v1/scope-bindings/resolve', { binding_keys: [bindingKey(bound_id)] }],
    ['GET', `/v1/scopes/${scope_id}/sources/${source_type}/${observed_id}`],
    ['POST', '/v1/connector-checkpoints/get', { binding: connectorBinding(scope_id, binding_id) }],
    ['POST', '/v1/artifact-candidates/list', { scope_id }],
    ['POST', '/v1/artifact-candidates/versions', { scope_id, candidate_id }],
    ['GET', `/v1/jobs/${job_id}`],
    ['POST', '/v1/handoff-reports/projects/get', { project_id }],
    ['POST', '/v1/handoff-reports/workstreams/list', { project_id }],
    ['POST', '/v1/handoff-reports/activities/list', { project_id }],
    ['POST', '/v1/handoff-reports/workspace-bindings/get', { workspace_instance_id: workspace_id }],
  ];
  const replies = await Promise.all(reads.map(([method, path, body]) => client.send(method, path, body)));
  return replies.map(({ status, text }) => ({ status, text }));
}
