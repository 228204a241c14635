import type { ErrorCode, OperationSpec } from '@continuity/contract';
import { type Client, fillPath, type RawReply, waitUntil } from '@continuity/testing';
import { arrangements, citationIn, replaceHead } from './arrangements.ts';
import { citeLineage, citeStaleTarget, decideFirst, proposeTwice } from './candidates.ts';
import { catalogConflicts } from './catalog.ts';
import { bindOther, observeOther, observeTwice, observeUnknown, registerOther } from './connectors.ts';
import { nameOtherVersion } from './external-skills.ts';
import { generateFromLineage, generateOntoRetired, generateOntoStale, isGeneration } from './generation.ts';
import { citeInstead, commitFirst, exampleContent, makeLineageSource } from './handoffs.ts';
import { bodyLimit, type PlaceName, type Places, token } from './places.ts';
import { preparePublication, publishOntoHandoff, useKey } from './publications.ts';
import {
  publicationConflict,
  publishMarkup,
  publishRetired,
  targetConflict,
  withCredential,
  withoutPublication,
  withoutSkill,
} from './remote-skills.ts';
import {
  changeRequest,
  exampleRequest,
  freshScope,
  type Request,
  sendExample,
  sendRequest,
} from './requests.ts';
import { observeLineage, observeSkillTwice, uploadOntoStale, useRetired } from './skills.ts';

/** Makes an operation answer with one error code. */
type Provocation = (places: Places, operation: OperationSpec) => Promise<RawReply>;

/** How each error code is had from whatever operation declares it; only the shape of its request is looked at. */
export const provocations: Partial<Record<ErrorCode, Provocation>> = {
  unauthorized: async (places, operation) => {
    const insecure = { 'x-forwarded-proto': 'http' };
    const client = await places.get(operation.auth === 'code' ? 'withHttpsOnly' : 'guarded');
    const request = exampleRequest(operation, freshScope());
    return sendRequest(client, operation, changeRequest(request, { headers: insecure }));
  },
  method_not_allowed: async (places, operation) => {
    const client = await places.get('usual');
    const { headers } = await withCredential(client, operation, exampleRequest(operation, freshScope()));
    return client.send('DELETE', operation.path.replaceAll(/\{\w+\}/g, 'x'), undefined, headers);
  },
  body_too_large: sendBody('guarded', { authorization: `Bearer ${token}` }),
  unsupported_media_type: sendBody('usual', { 'content-type': 'text/plain' }),
  misdirected_request: inPlace('underOtherName'),
  invalid_request: async (places, operation) =>
    operation.body === undefined
      ? sendBadParameter(await places.get('usual'), operation)
      : inPlace('usual', async () => ({ body: { 'no such field': true } }))(places, operation),
  rate_limited: async (places, operation) => {
    const send = inPlace('limited');
    const first = await send(places, operation);
    return first.status === 429 ? first : send(places, operation);
  },
  runtime_not_ready: inPlace('starting'),
  database_unavailable: inPlace('withoutDatabase'),
  internal_error: inPlace('broken'),
  worker_unavailable: inPlace('withoutWorkers', arrangeWork),
  queue_unavailable: inPlace('withoutQueue', arrangeWork),
  job_timeout: inPlace('withoutPatience', arrangeWork),
  job_cancelled: async (places, operation) => {
    const answer = inPlace('withIdleWorkers', arrangeWork)(places, operation);
    const client = await places.get('withIdleWorkers');
    await waitUntil(async () => {
      const { items } = (await client.call('list_jobs', { query: { status: 'queued' } })).body;
      for (const { job_id } of items) await client.call('cancel_job', { params: { job_id } });
      return items.length > 0;
    });
    return answer;
  },
  job_conflict: inPlace('usual', async (client) => {
    const { job_id } = await sendExample(client, 'flush_memory', freshScope(), {
      headers: { prefer: 'respond-async' },
    });
    const params = { job_id: String(job_id) };
    await waitUntil(async () => (await client.call('get_job', { params })).body.status === 'succeeded');
    return { params };
  }),
  inference_unavailable: inPlace('withoutModel', arrangeWork),
  inference_timeout: inPlace('withSlowModel', arrangeWork),
  invalid_handoff_generation: inPlace('withUselessModel', arrangeWork),
  handoff_generation_unavailable: inPlace('withoutGeneration', arrangeWork),
  generation_unavailable: inPlace('withoutGeneration', arrangeWork),

  external_skill_registry_unavailable: inPlace('withoutSkillHosts'),
  external_skill_not_found: inPlace('usual'),
  external_skill_snapshot_unavailable: inPlace('usual', nameOtherVersion),

  // A missing value: the example in a Scope of its own.
  scope_not_found: inPlace('usual', async (_client, scope, operation) => {
    if (hasField(operation, 'target_scope_id')) return {};
    if (hasField(operation, 'include_evidence_checks')) {
      return { body: { project_id: null, selection: { mode: 'exact', scope_ids: [scope] } } };
    }
    if (hasField(operation, 'idempotency_key')) {
      return { body: { parent_scope_id: scope, idempotency_key: scope } };
    }
    if (operation.id === 'list_candidate_inbox') {
      return { body: { selection: { mode: 'exact', scope_ids: [scope] } } };
    }
    return hasField(operation, 'explicit_scope_id') ? { body: { explicit_scope_id: scope } } : {};
  }),
  handoff_report_too_large: inPlace('withSmallReports', arrangeWork),
  source_not_found: inPlace('usual', async (_client, _scope, operation) =>
    hasField(operation, 'source_refs') ? rememberWith('missing') : {},
  ),
  source_definition_not_found: inPlace('usual', async (_client, scope) => observeUnknown(scope)),
  job_not_found: inPlace('usual', async () => ({ params: { job_id: 'unknown' } })),
  artifact_not_found: inPlace('usual', async (client, scope, operation) => {
    if (hasField(operation, 'target_scope_id')) {
      const { body } = await preparePublication(client, scope);
      const source = { ...body.source, artifact: { ...body.source.artifact, revision: 2 } };
      return { body: { ...body, source } };
    }
    if (operation.id === 'publish_remote_skill') return withoutSkill(client, scope);
    if (operation.id !== 'continue_handoff') return {};
    return {
      body: { selection: 'exact', revision: { family: 'handoff', artifact_id: 'handoff', revision: 1 } },
    };
  }),
  publication_conflict: inPlace('usual', useKey),
  handoff_evidence_not_found: inPlace('usual', (client, scope, operation) =>
    citeInstead(client, scope, operation, 'missing'),
  ),
  source_not_eligible: inPlace('usual', async (client, scope, operation) => {
    if (isGeneration(operation)) return generateFromLineage(client, scope);
    if (operation.tag === 'review') return citeLineage(client, scope, operation);
    if (operation.id === 'remember_memory') return rememberWith(await makeLineageSource(client, scope));
    if (operation.id === 'record_skill_usage') return observeLineage(client, scope);
    return citeInstead(client, scope, operation, await makeLineageSource(client, scope));
  }),
  artifact_exists: inPlace('usual', async (client, scope, operation) => {
    if (hasField(operation, 'target_scope_id')) return publishOntoHandoff(client, scope);
    await commitFirst(client, scope);
    return { body: { family: 'handoff', content: exampleContent(scope) } };
  }),
  remote_target_not_found: inPlace('usual'),
  remote_target_conflict: inPlace('usual', targetConflict),
  remote_publication_not_found: inPlace('usual', withoutPublication),
  remote_publication_conflict: inPlace('usual', publicationConflict),
  enrollment_invalid: inPlace('usual'),
  memory_not_found: inPlace('usual', async (_client, _scope, operation) => ({
    body: hasField(operation, 'expected_revision') ? { expected_revision: 1 } : {},
  })),

  invalid_cursor: inPlace('usual', async (_client, _scope, operation) =>
    hasField(operation, 'cursor') ? { body: { cursor: 'altered' } } : { query: { cursor: 'altered' } },
  ),
  cursor_expired: inPlace('whereTimeFlies', async (client, scope, operation) => {
    for (const key of ['first', 'second'])
      await sendExample(client, 'create_artifact', scope, { headers: { 'Idempotency-Key': key } });
    const first = changeRequest(exampleRequest(operation, scope), { query: { limit: '1' } });
    const page = (await sendRequest(client, operation, first)).json as { next_cursor: string };
    return { query: { cursor: page.next_cursor } };
  }),
  precondition_required: inPlace('usual', async () => ({ headers: { 'If-Match': '' } })),
  precondition_failed: inPlace('usual', async (client, scope) => {
    await sendExample(client, 'create_artifact', scope);
    return { headers: { 'If-Match': '"1-stale"' } };
  }),
  artifact_conflict: inPlace('usual', async (client, scope, operation) => {
    if (isGeneration(operation)) return generateOntoStale(client, scope, operation);
    if (operation.tag === 'review') return citeStaleTarget(client, scope, operation);
    if (operation.id === 'propose_skill_package') return uploadOntoStale(client, scope, operation);
    await sendRequest(client, operation, exampleRequest(operation, scope));
    return { body: { content: { entries: [{ kind: 'fact', text: 'Something else.' }] } } };
  }),
  candidate_not_found: inPlace('usual'),
  candidate_terminal: inPlace('usual', (client, scope) => decideFirst(client, scope, 'approved')),
  candidate_conflict: inPlace('usual', (client, scope, operation) =>
    hasField(operation, 'expected_version')
      ? decideFirst(client, scope, 'revised')
      : proposeTwice(client, scope, operation),
  ),
  capability_not_supported: inPlace('usual', async (client, scope_id, operation) => {
    if (operation.id === 'publish_remote_skill') return publishMarkup(client, scope_id);
    if (!hasField(operation, 'target_scope_id')) return { body: { mode: 'vector' } };
    const artifact = { family: 'memory', artifact_id: 'memory', revision: 1 };
    return { body: { source: { scope_id, artifact } } };
  }),
  scope_conflict: inPlace('usual', async (client, scope, operation) => {
    await captureFirst(client, scope);
    if (hasField(operation, 'expected_version')) return { body: { expected_version: 2 } };
    const used = { idempotency_key: scope };
    await sendRequest(client, operation, changeRequest(exampleRequest(operation, scope), { body: used }));
    return { body: { ...used, title: 'Another title' } };
  }),
  source_conflict: inPlace('usual', async (client, scope, operation) => {
    if (hasField(operation, 'observation')) return observeTwice(client, scope);
    if (operation.id === 'record_skill_usage') return observeSkillTwice(client, scope, operation);
    const { source_id } = exampleRequest(operation, scope).body ?? {};
    if (operation.tag === 'work') {
      await commitFirst(client, scope);
      await sendExample(client, 'capture_content_source', scope, { body: { source_id } });
      return {};
    }
    await sendRequest(client, operation, exampleRequest(operation, scope));
    return { body: { content: 'Something else.' } };
  }),
  governance_conflict: inPlace('usual', (client, scope, operation) => {
    if (operation.id === 'publish_remote_skill') return publishRetired(client, scope);
    return isGeneration(operation)
      ? generateOntoRetired(client, scope, operation)
      : useRetired(client, scope, operation);
  }),
  source_definition_conflict: inPlace('usual', async (client, scope, operation) =>
    hasField(operation, 'manifest')
      ? registerOther(client, scope)
      : observeOther(client, scope, { definition_fingerprint: `sha256:${'0'.repeat(64)}` }),
  ),
  checkpoint_conflict: inPlace('usual', bindOther),
  revision_conflict: inPlace('usual', async (client, scope, operation) => {
    if (operation.id === 'commit_handoff') {
      await commitFirst(client, scope);
      const other = JSON.stringify(exampleRequest(operation, scope).body).replace('answer 410', 'answer 404');
      return { body: JSON.parse(other) as Record<string, unknown> };
    }
    const first = await sendExample(client, 'remember_memory', scope);
    await sendExample(client, 'remember_memory', scope, { body: { text: 'Another decision.' } });
    const stale = hasField(operation, 'citation')
      ? { citation: citationIn(first) }
      : { expected_revision: 1 };
    return { body: stale };
  }),
  project_not_found: inPlace('usual', async (_client, _scope, { query }) =>
    query === undefined ? {} : { query: { project_id: 'unknown', scope_id: undefined } },
  ),
  workstream_not_found: inPlace('usual'),
  workspace_binding_not_found: inPlace('usual'),
  ...Object.fromEntries(
    Object.entries(catalogConflicts).map(([code, prepare]) => [code, inPlace('usual', prepare)]),
  ),
  memory_entry_inactive: inPlace('usual', async (client, scope, operation) => {
    const citation = citationIn(await sendExample(client, 'remember_memory', scope));
    const retired = citationIn(
      await sendExample(client, 'retire_memory_entry', scope, { body: { citation } }),
    );
    if (operation.id === 'remember_memory')
      return { body: { text: 'Its successor.', supersedes: [retired] } };
    if (hasField(operation, 'citation')) return { body: { citation: retired } };
    return replaceHead(client, scope, { kind: 'fact', text: 'Late.', entry_id: retired.entry_id });
  }),
};

/** The operation's example, arranged so that it succeeds with the given status. */
export async function provokeSuccess(
  client: Client,
  operation: OperationSpec,
  status: number,
): Promise<RawReply> {
  const arrange = Object.entries(arrangements).find(([id]) => id === operation.id)?.[1];
  const scope = freshScope();
  const change = (await arrange?.(client, scope, status)) ?? {};
  const request = changeRequest(exampleRequest(operation, scope), change);
  const isAccepted = operation.run !== 'direct' && status === 202;
  const headers: Record<string, string> = isAccepted ? { prefer: 'respond-async' } : {};
  return sendRequest(client, operation, changeRequest(request, { headers }));
}

/** Prepares data so that an operation reaches its worker, and the worker has something to do. */
async function arrangeWork(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  if (operation.tag === 'jobs') return {};
  await captureFirst(client, scope);
  const arrange = Object.entries(arrangements).find(([id]) => id === operation.id)?.[1];
  return (await arrange?.(client, scope, operation.status)) ?? {};
}

/** The operation's example with its body left out. */
export async function sendWithoutBody(client: Client, operation: OperationSpec): Promise<RawReply> {
  const request = await withCredential(client, operation, exampleRequest(operation, freshScope()));
  return sendRequest(client, operation, { ...request, body: undefined });
}

type Prepare = (client: Client, scope: string, operation: OperationSpec) => Promise<Partial<Request>>;

/** Sends the example in a Scope of its own to one place, changed by what `prepare` answers. */
function inPlace(name: PlaceName, prepare: Prepare = async () => ({})): Provocation {
  return async (places, operation) => {
    const client = await places.get(name);
    const scope = freshScope();
    const change = await prepare(client, scope, operation);
    const request = changeRequest(exampleRequest(operation, scope), change);
    return sendRequest(client, operation, await withCredential(client, operation, request));
  };
}

/** A body over the limit of the place `guarded`, which operations without a body get too. */
function sendBody(name: PlaceName, headers: Record<string, string>): Provocation {
  return async (places, operation) => {
    const client = await places.get(name);
    const example = exampleRequest(operation, freshScope());
    const sent = await withCredential(client, operation, { ...example, headers });
    const body = { filler: 'x'.repeat(bodyLimit) };
    return client.send(operation.method, fillPath(operation.path, example.params), body, sent.headers);
  };
}

/** A path parameter that is not UTF-8, or else a query parameter given twice. */
function sendBadParameter(client: Client, { method, path, params, query }: OperationSpec): Promise<RawReply> {
  const [name] = Object.keys(query?.shape ?? {});
  const search = params === undefined ? `?${name}=1&${name}=1` : '';
  return client.send(method, path.replaceAll(/\{\w+\}/g, '%ff') + search);
}

/** Makes the Scope, and gives a flush something to ask the model about. */
async function captureFirst(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'capture_content_source', scope);
  return {};
}

function hasField({ body }: OperationSpec, name: string): boolean {
  return body !== undefined && 'shape' in body && name in (body.shape as object);
}

/** An entry with a Source of this id as its evidence. */
function rememberWith(source_id: string) {
  return { body: { source_refs: [{ name: 'content', source_id }] } };
}
