import type { HandoffContent } from '@continuity/contract/handoff';
import { asDigest, digestHex, type JsonValue } from '@continuity/kernel/json';
import { afterAll, expect, test } from 'vitest';
import { artifactCalls, etagOf } from '../support/artifacts.ts';
import { cite, handoffCalls, handoffContent, handoffRef, prepared, stated } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race, remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = handoffCalls(service);

afterAll(() => service.stop());

const params = (scope_id: string) => ({ scope_id, family: 'handoff' as const, artifact_id: 'handoff' });
const create = (scope_id: string, content: HandoffContent, headers: Record<string, string> = {}) =>
  service.call('create_artifact', { params: { scope_id }, headers, body: { family: 'handoff', content } });
const replace = (scope_id: string, etag: string, content: HandoffContent) =>
  service.call('replace_artifact', {
    params: params(scope_id),
    headers: { 'If-Match': etag },
    body: { content },
  });
const head = (scope_id: string) => service.call('get_artifact', { params: params(scope_id) });

test('spec 10 scenario 15: one of 20 concurrent Creates of the Handoff is 201, the others 409, with one system Source', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const replies = await race(20, (index) => create(scope, handoffContent({ objective: `Number ${index}.` })));
  expect(countStatuses(replies)).toEqual({ 201: 1, 409: 19 });
  const etag = etagOf(await head(scope));
  for (const { error } of replies) {
    if (error === undefined) continue;
    expect(error.code).toBe('artifact_exists');
    expect(error.details).toEqual({ current: handoffRef(1), current_etag: etag });
  }
  expect(await calls.nextPosition(scope)).toBe(3);
});

test('spec 10 §6.3: a committed Handoff makes a Create 409', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await calls.commit(scope, prepared(scope, 0));
  const reply = await create(scope, handoffContent());
  expect([reply.status, reply.error?.details]).toEqual([
    409,
    { current: handoffRef(1), current_etag: etagOf(await head(scope)) },
  ]);
  expect(await calls.nextPosition(scope)).toBe(2);
});

test('spec 10 scenario 16: a Create with missing evidence writes nothing', async () => {
  const scope = freshScope();
  const state = [stated('a', cite('one'), cite('two'), cite('one'))];
  const reply = await create(scope, handoffContent({ state }));
  expect([reply.status, reply.error?.code, reply.error?.details]).toEqual([
    404,
    'handoff_evidence_not_found',
    { citations: [cite('one'), cite('two')] },
  ]);
  expect((await head(scope)).status).toBe(404);
  expect(await query(service.databaseUrl, 'SELECT FROM scopes WHERE scope_id = $1', [scope])).toEqual([]);
});

test('spec 10 scenario 16: the system Source of another Artifact is 422', async () => {
  const scope = freshScope();
  const { body } = await artifactCalls(service).create(scope, [{ kind: 'fact', text: 'a wall' }]);
  const system = body.sources[0]?.source_id ?? '';
  const reply = await create(scope, handoffContent({ state: [stated('a', cite(system))] }));
  expect([reply.status, reply.error?.code, reply.error?.details]).toEqual([
    422,
    'source_not_eligible',
    { source_ref: { name: 'content', source_id: system } },
  ]);
  expect(await calls.nextPosition(scope)).toBe(2);
});

test('spec 10 scenario 17: lineage is the system Source and then the cited ones; Replace computes it again', async () => {
  const scope = freshScope();
  for (const id of ['one', 'two', 'three']) await capture(service, scope, id);
  const { memory, entry } = await remember(service, scope, 'a wall');
  const entryCitation = { kind: 'memory', memory_citation: entry.citation } as const;
  const first = handoffContent({
    state: [stated('a', cite('two'), entryCitation), stated('b', cite('one'), cite('two'))],
    next_action: stated('c', { kind: 'artifact', artifact_ref: memory }),
    omissions: [{ text: 'd', citation: cite('three') }],
  });
  const created = await create(scope, first);
  const sources = (ids: string[]) => ids.map((source_id) => ({ source_type: 'content', source_id }));
  const [system] = created.body.sources;
  expect(created.body).toMatchObject({
    artifact_id: 'handoff',
    revision: 1,
    sources: [system, ...sources(['two', 'one'])],
    artifacts: [memory],
  });
  expect((await readSource(service, scope, system?.source_id ?? '')).body.content).toEqual(first);
  const second = handoffContent({
    state: [stated('a', cite('three'), { kind: 'artifact', artifact_ref: handoffRef(1) })],
  });
  const replaced = await replace(scope, etagOf(created), second);
  expect(replaced.body).toMatchObject({ revision: 2, content: second, artifacts: [handoffRef(1)] });
  expect(replaced.body.sources.slice(1)).toEqual(sources(['three']));
  expect(replaced.body.content_digest).toBe(asDigest(digestHex(second as JsonValue)));
  const read = await service.call('get_artifact_revision', { params: { ...params(scope), revision: '1' } });
  expect(read.body).toMatchObject({ content: first, sources: created.body.sources, artifacts: [memory] });
  // The Handoff operations continue the revision of a Replace, and vice versa.
  expect((await calls.latest(scope)).body).toMatchObject({
    content: second,
    current_revision: handoffRef(2),
  });
});

test('spec 30 §8.6: a commit with the content of the head returns the lineage of the head', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const created = await create(scope, handoffContent());
  const committed = await calls.commit(scope, prepared(scope, 0));
  expect(committed.body).toMatchObject({
    reference: handoffRef(1),
    source_refs: created.body.sources.map(({ source_type, source_id }) => ({ name: source_type, source_id })),
  });
});

test('spec 10 §6.3.3.3: Replace writes a revision for equal content too, after the precondition and the evidence', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const created = await create(scope, handoffContent());
  const missing = handoffContent({ state: [stated('a', cite('missing'))] });
  expect((await replace(scope, '"1-stale"', missing)).status).toBe(412);
  expect((await replace(scope, etagOf(created), missing)).status).toBe(404);
  const replaced = await replace(scope, etagOf(created), handoffContent());
  expect(replaced.body.revision).toBe(2);
  expect(replaced.body.content_digest).toBe((await head(scope)).body.content_digest);
});

test('spec 10 §6.4.4.3: exactly one of concurrent Replaces and commits of a head succeeds', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await create(scope, handoffContent());
  for (let revision = 1; revision < 5; revision += 1) {
    const etag = etagOf(await head(scope));
    const statuses = await race(12, async (index) => {
      const objective = `${revision} ${index}`;
      if (index % 2 === 0) return (await replace(scope, etag, handoffContent({ objective }))).status;
      return (await calls.commit(scope, prepared(scope, revision, { objective }))).status;
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 409, 412].includes(status))).toEqual([]);
    expect((await head(scope)).body.revision).toBe(revision + 1);
  }
});

test('spec 10 §6: a Handoff is listed, and content of another Family is 422', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await create(scope, handoffContent(), { 'Idempotency-Key': 'once' });
  expect((await create(scope, handoffContent(), { 'Idempotency-Key': 'once' })).status).toBe(201);
  const list = await service.call('list_artifacts', { params: { scope_id: scope, family: 'handoff' } });
  expect(list.body.items).toMatchObject([{ artifact_id: 'handoff', revision: 1 }]);
  const path = `/v1/scopes/${scope}/artifacts`;
  const entries = [{ kind: 'fact', text: 'a wall' }];
  expect((await service.send('POST', path, { family: 'handoff', content: { entries } })).status).toBe(422);
  expect((await service.send('POST', path, { family: 'memory', content: handoffContent() })).status).toBe(
    422,
  );
  const body = { content: { ...handoffContent(), objective: '' } };
  expectIssues(
    await service.send('PUT', `${path}/handoff/handoff`, body, { 'If-Match': etagOf(await head(scope)) }),
    ['content.objective'],
  );
  expect((await service.send('GET', `${path}/handoff/other`)).status).toBe(404);
});
