import { asDigest, digestHex, type JsonValue } from '@continuity/kernel/json';
import { afterAll, expect, test } from 'vitest';
import { allConfirmed, cite, draft, handoffCalls, handoffRef, prepared, stated } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';

const service = await startService();
const calls = handoffCalls(service);

afterAll(() => service.stop());

const work = {
  objective: 'Build.',
  state: [{ text: 'Begun.' }],
  disposition: 'continuable' as const,
};
const handOff = (scope_id: string, value: object, source_id = 'boundary') =>
  service.send('POST', '/v1/work/handoffs/prepare-current', {
    scope_id,
    source_id,
    handoff: { ...work, ...value },
  });
const acknowledge = (scope_id: string, value: object) =>
  service.send('POST', '/v1/work/handoffs/acknowledge', {
    scope_id,
    source_id: 'receipt',
    receiver: 'b',
    status: 'accepted',
    selection: 'exact',
    receiver_checks: allConfirmed,
    revision: handoffRef(1),
    ...value,
  });

test('spec 30 scenario 5: the boundary is the first of 32 Citations, and a 33rd is 422', async () => {
  const scope = freshScope();
  const ids = Array.from({ length: 31 }, (_, index) => `source ${index}`);
  for (const id of ids) await capture(service, scope, id);
  const claim = (count: number) => ({
    text: 'All of it.',
    basis: 'verified' as const,
    evidence: [...ids, 'one more'].slice(0, count).map(cite),
  });
  expectIssues(await handOff(scope, { state: [claim(32)] }), ['handoff.state[0].evidence']);
  const { body } = await calls.handOff({
    scope_id: scope,
    source_id: 'boundary',
    handoff: {
      ...work,
      state: [claim(31)],
      next_action: { ...claim(2), evidence: [...ids.slice(0, 2), ...ids.slice(0, 2)].map(cite) },
      omissions: ['Nothing measured.'],
    },
  });
  expect(body.boundary).toMatchObject({ kind: 'handoff-boundary', position: 32 });
  expect(body.handoff).toEqual({
    schema: 'service.prepared-handoff.v1',
    scope_id: scope,
    base: null,
    content: {
      schema: 'service.handoff.v1',
      objective: 'Build.',
      state: [stated('All of it.', ...['boundary', ...ids].map(cite))],
      disposition: 'continuable',
      next_action: stated('All of it.', ...['boundary', ...ids.slice(0, 2)].map(cite)),
      omissions: [{ text: 'Nothing measured.', citation: null }],
    },
  });
  const committed = await calls.commit(scope, body.handoff);
  expect(committed.body.reference).toEqual(handoffRef(1));
});

test('spec 30 scenario 6: a missing evidence of the second claim is 404, and the boundary does not exist', async () => {
  const scope = freshScope();
  await capture(service, scope, 'here');
  const state = ['here', 'missing'].map((id) => ({ text: id, basis: 'verified', evidence: [cite(id)] }));
  expect(await handOff(scope, { state })).toMatchObject({
    status: 404,
    json: { error: { code: 'handoff_evidence_not_found', details: { citations: [cite('missing')] } } },
  });
  expect((await readSource(service, scope, 'boundary')).status).toBe(404);
  expect(await handOff(scope, { state, next_action: { text: 'x', basis: 'verified' } })).toMatchObject({
    status: 422,
  });
});

test('spec 30 §2.4.3: a retry answers the same boundary and content, on the head of that moment', async () => {
  const scope = freshScope();
  const body = { scope_id: scope, source_id: 'boundary', handoff: work };
  const first = await calls.handOff(body);
  await calls.commit(scope, first.body.handoff);
  const again = await calls.handOff(body);
  expect(again.body).toEqual({ ...first.body, handoff: { ...first.body.handoff, base: handoffRef(1) } });
  expect((await calls.commit(scope, again.body.handoff)).body.reference).toEqual(handoffRef(1));
  expect((await handOff(scope, { disposition: 'blocked' })).status).toBe(409);
});

test('spec 30 scenario 7: to accept takes three confirmed checks, and latest cannot be accepted', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await calls.commit(scope, prepared(scope, 0));
  const doubtful = { ...allConfirmed, capability: 'not_checked', live_state: 'mismatch' };
  expectIssues(await acknowledge(scope, { receiver_checks: doubtful }), [
    'receiver_checks.capability',
    'receiver_checks.live_state',
  ]);
  expectIssues(await acknowledge(scope, { receiver_checks: null }), ['receiver_checks']);
  expectIssues(await acknowledge(scope, { selection: 'latest', revision: null }), ['selection']);
  expect((await readSource(service, scope, 'receipt')).status).toBe(404);
});

test('spec 30 scenario 8: missing evidence is no ground to accept, and one to ask', async () => {
  const scope = freshScope();
  await capture(service, scope, 'here');
  const value = prepared(scope, 0, {
    state: [stated('a', cite('missing')), stated('b', cite('here'), cite('missing'), cite('gone'))],
  });
  const fields = { selection: 'prepared', prepared: value, revision: null };
  const missing = [cite('missing'), cite('gone')];
  expect(await acknowledge(scope, fields)).toMatchObject({
    status: 422,
    json: {
      error: {
        code: 'invalid_request',
        details: { reason: 'handoff_evidence_unavailable', citations: missing },
      },
    },
  });
  expect((await readSource(service, scope, 'receipt')).status).toBe(404);
  const asked = await acknowledge(scope, {
    ...fields,
    status: 'needs_clarification',
    message: 'Where is it?',
  });
  expect(asked).toMatchObject({ status: 200, json: { resolution: { status: 'resolved' } } });
  const { body } = await readSource(service, scope, 'receipt');
  expect(body.content).toEqual({
    schema: 'service.handoff-receipt.v1',
    trust: 'untrusted_observation',
    receiver: 'b',
    status: 'needs_clarification',
    selection: 'prepared',
    selected_revision: null,
    prepared_digest: asDigest(digestHex(value as JsonValue)),
    receiver_checks: allConfirmed,
    evidence_status: 'unavailable',
    unavailable_evidence: missing,
    unavailable_evidence_count: 2,
    message: 'Where is it?',
  });
});

test('spec 30 §2.5.5: a repeat is told by what the caller said; the first evidence result stays', async () => {
  const scope = freshScope();
  await capture(service, scope, 'here');
  const value = prepared(scope, 0, { state: [stated('a', cite('late'))] });
  const fields = {
    selection: 'prepared',
    prepared: value,
    revision: null,
    status: 'declined',
    message: 'Where is it?',
  };
  const replies = await race(10, () => acknowledge(scope, fields));
  expect(countStatuses(replies)).toEqual({ 200: 10 });
  const first = replies[0]?.json as { receipt: unknown };
  await capture(service, scope, 'late');
  const again = await acknowledge(scope, fields);
  expect(again.json).toMatchObject({
    receipt: first.receipt,
    resolution: { evidence_checks: [{ status: 'available' }] },
  });
  const { body } = await readSource(service, scope, 'receipt');
  expect(body.content).toMatchObject({ evidence_status: 'unavailable' });
  for (const other of [
    { message: 'Why?' },
    { receiver: 'c' },
    { receiver_checks: null },
    { prepared: prepared(scope, 0, { state: [stated('b', cite('late'))] }) },
  ]) {
    expect((await acknowledge(scope, { ...fields, ...other })).status).toBe(409);
  }
});

test('spec 30 §8.5: a receipt keeps the first 256 unavailable Citations, with their number', async () => {
  const scope = freshScope();
  const state = Array.from({ length: 10 }, (_, at) =>
    stated(`claim ${at}`, ...Array.from({ length: 30 }, (_each, n) => cite(`missing ${at} ${n}`))),
  );
  const reply = await acknowledge(scope, {
    selection: 'prepared',
    prepared: prepared(scope, 0, { state }),
    revision: null,
    status: 'declined',
    message: 'No.',
  });
  expect(reply.status).toBe(200);
  const { content } = (await readSource(service, scope, 'receipt')).body;
  expect(content).toMatchObject({ unavailable_evidence_count: 300 });
  expect((content as { unavailable_evidence: unknown[] }).unavailable_evidence).toHaveLength(256);
});

test('spec 30 scenario 9: each selection takes its own field, an answer its message, a revision must be there', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await calls.commit(scope, prepared(scope, 0));
  expectIssues(await acknowledge(scope, { prepared: prepared(scope, 1) }), ['prepared']);
  expectIssues(await acknowledge(scope, { status: 'declined' }), ['message']);
  expectIssues(
    await acknowledge(scope, { revision: { ...handoffRef(1), family: 'memory', artifact_id: 'm' } }),
    ['revision.family', 'revision.artifact_id'],
  );
  expectIssues(await acknowledge(scope, { selection: 'prepared' }), ['prepared', 'revision']);
  expectIssues(
    await acknowledge(scope, { selection: 'prepared', revision: null, prepared: prepared('another', 0) }),
    ['prepared.scope_id'],
  );
  expect(await acknowledge(scope, { revision: handoffRef(2) })).toMatchObject({
    status: 404,
    json: { error: { code: 'artifact_not_found' } },
  });
  expect(await acknowledge(scope, {})).toMatchObject({
    status: 200,
    json: {
      resolution: { selection: 'exact', selected_revision: handoffRef(1), current_revision: handoffRef(1) },
      receipt: { kind: 'handoff-receipt', position: 2 },
    },
  });
});

test('spec 30 §2: a receipt can be cited', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await calls.commit(scope, prepared(scope, 0));
  expect((await acknowledge(scope, {})).status).toBe(200);
  const state = [stated('a', cite('receipt'))];
  expect((await calls.finalize(scope, draft({ state }))).status).toBe(200);
});
