import type { RawReply } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { manifest, observation, registered, submit, submitted, textEvidence } from '../support/connectors.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();

afterAll(() => service.stop());

const typed = await registered(service, {
  source_schema: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', minLength: 3 } },
  },
  projections: [
    { key: textEvidence, schema: { properties: { metadata: { maxProperties: 1 } } } },
    { key: { name: 'size', version: '1' }, schema: { type: 'integer' } },
  ],
});

const sized = { key: { name: 'size', version: '1' }, value: 13 };

/** An observation that fits `typed`. */
function fitting(name: string, content?: string) {
  const plain = observation(typed, name, content);
  return { ...plain, projections: [...plain.projections, sized] };
}

const refused = (reply: RawReply, ...paths: string[]) =>
  expectIssues(
    reply,
    paths.map((path) => `observation${path}`),
  );

test('spec 10 §9: an observation makes the Scope, has a position, and reads back as its payload', async () => {
  const scope_id = freshScope();
  const sent = fitting('docs/dunning.md@4f1c2a');
  const reply = await submit(service, scope_id, sent);
  expect(reply).toMatchObject({ status: 202 });
  expect(reply.json).toEqual({ source: { name: typed.name, source_id: sent.name }, position: 1 });
  expect(await capture(service, scope_id, 'next')).toBe(2);
  const { body } = await readSource(service, scope_id, sent.name, typed.name);
  expect(body).toMatchObject({ scope_id, source_type: typed.name, content: sent.payload, position: 1 });
});

test('spec 10 scenario 27: a missing projection, a payload off its schema and another name are 422', async () => {
  const scope = freshScope();
  const right = fitting('one');
  refused(await submit(service, scope, { ...right, projections: [sized] }), '.projections');
  refused(await submit(service, scope, fitting('one', 'ab')), '.payload.text');
  refused(
    await submit(service, scope, { ...right, name: 'two' }),
    '.payload.name',
    '.projections[0].value.source_id',
  );
  const { body } = await service.call('list_scopes');
  expect(body.items.map(({ scope_id }) => scope_id)).not.toContain(scope);
});

test.each([
  ['another version in the payload', { definition_version: '2' }, ['.payload.definition_version']],
  ['another description in the payload', { description: 'x' }, ['.payload.description']],
  ['no materialization in the payload', { materialization: null }, ['.payload.materialization']],
])('spec 10 §9.2.2: %s is 422', async (_name, change, paths) => {
  const right = fitting('one');
  refused(
    await submit(service, freshScope(), { ...right, payload: { ...right.payload, ...change } }),
    ...paths,
  );
});

test('spec 10 §9.2.2: an absent description is null', async () => {
  const scope = freshScope();
  const { description: _null, ...rest } = fitting('one');
  expect((await submit(service, scope, rest)).json).toMatchObject({ position: 1 });
  expect(await submitted(service, scope, fitting('one'))).toBe(1);
  const { description: _absent, ...payload } = rest.payload;
  expect(
    (await submit(service, scope, { ...rest, name: 'two', payload: { ...payload, name: 'two' } })).status,
  ).toBe(422);
});

test('spec 10 §9.2.2: projections are those of the definition, each once, in any order', async () => {
  const scope = freshScope();
  const right = fitting('one');
  const [evidence] = right.projections;
  const other = { key: { name: 'size', version: '2' }, value: 1 };
  refused(
    await submit(service, scope, { ...right, projections: [evidence, other] }),
    '.projections[1].key',
    '.projections',
  );
  refused(
    await submit(service, scope, { ...right, projections: [evidence, sized, sized] }),
    '.projections[2].key',
  );
  const wrong = { ...sized, value: 1.5 };
  refused(
    await submit(service, scope, { ...right, projections: [wrong, evidence] }),
    '.projections[0].value',
  );
  expect(await submitted(service, scope, right)).toBe(1);
  expect(await submitted(service, scope, { ...right, projections: [...right.projections].reverse() })).toBe(
    1,
  );
});

test('spec 10 §9.2.2: text evidence names its observation and holds a text', async () => {
  const scope = freshScope();
  const plain = await registered(service);
  const withEvidence = (value: unknown) => ({
    ...observation(plain, 'one'),
    projections: [{ key: textEvidence, value }],
  });
  const right = { source_type: plain.name, source_id: 'one', content: 'x', metadata: {} };
  const at = (field: string) => `.projections[0].value${field}`;
  for (const [change, ...paths] of [
    [{ source_type: 'content' }, at('.source_type')],
    [{ source_id: 'two' }, at('.source_id')],
    [{ content: ' \n' }, at('.content')],
    [{ content: 'x'.repeat(200_001) }, at('.content')],
    [{ content: 1 }, at('.content')],
    [{ metadata: [] }, at('.metadata')],
    [{ more: 1 }, at('')],
  ] as const) {
    refused(await submit(service, scope, withEvidence({ ...right, ...change })), ...paths);
  }
  refused(await submit(service, scope, withEvidence('text')), at(''));
  const longest = { ...right, content: '\u{1F9E0}'.repeat(200_000) };
  expect((await submit(service, scope, withEvidence(longest))).status).toBe(202);
});

test('spec 10 scenario 27: an unregistered version is 404, another fingerprint 409', async () => {
  const scope = freshScope();
  const other = { ...fitting('one'), definition_version: '2' };
  const unknown = await submit(service, scope, {
    ...other,
    payload: { ...other.payload, definition_version: '2' },
  });
  expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'source_definition_not_found' } } });
  expect((await submit(service, scope, observation(manifest({ name: 'content' }), 'one'))).status).toBe(404);
  const changed = { ...fitting('one'), definition_fingerprint: manifest().fingerprint };
  expect(await submit(service, scope, changed)).toMatchObject({
    status: 409,
    json: {
      error: { code: 'source_definition_conflict', details: { current_fingerprint: typed.fingerprint } },
    },
  });
});

test('spec 10 scenario 27: a changed payload under its name is 409 with what is current', async () => {
  const scope = freshScope();
  await capture(service, scope, 'before');
  expect(await submitted(service, scope, fitting('one'))).toBe(2);
  expect(await submitted(service, scope, fitting('one'))).toBe(2);
  const { body } = await readSource(service, scope, 'one', typed.name);
  const source = { name: typed.name, source_id: 'one' };
  const current = { source, position: 2, content_digest: body.content_digest };
  const right = fitting('one');
  const larger = { ...right, projections: [...right.projections.slice(0, 1), { ...sized, value: 14 }] };
  for (const changed of [fitting('one', 'Seen again.'), larger]) {
    expect(await submit(service, scope, changed)).toMatchObject({
      status: 409,
      json: { error: { code: 'source_conflict', details: { current } } },
    });
  }
  expect(await capture(service, scope, 'after')).toBe(3);
});

test('spec 10 §9.2.3: equal observations at once are one row, different ones under a name one', async () => {
  const scope = freshScope();
  const equal = await race(20, () => submit(service, scope, fitting('same')));
  expect(countStatuses(equal)).toEqual({ 202: 20 });
  expect(new Set(equal.map(({ text }) => text)).size).toBe(1);
  const different = await race(8, (index) => submit(service, scope, fitting('one', `version ${index}`)));
  expect(countStatuses(different)).toEqual({ 202: 1, 409: 7 });
  expect(await capture(service, scope, 'next')).toBe(3);
  const rows = await query(
    service.databaseUrl,
    `SELECT p.position, count(*)::int AS projections FROM source_projections p JOIN scopes c USING (tenant_id, scope_key)
     WHERE c.scope_id = $1 GROUP BY 1 ORDER BY 1`,
    [scope],
  );
  expect(rows).toEqual([
    { position: 1, projections: 2 },
    { position: 2, projections: 2 },
  ]);
});

test('spec 10 §8: Sources of different types share no identity', async () => {
  const scope = freshScope();
  const other = await registered(service);
  expect(await capture(service, scope, 'one')).toBe(1);
  expect(await submitted(service, scope, fitting('one'))).toBe(2);
  expect(await submitted(service, scope, observation(other, 'one'))).toBe(3);
  expect((await readSource(service, scope, 'one')).body.content).toBe('captured');
});

test('spec 10 §9.2.2: payload and values have at most 1,048,576 bytes', async () => {
  const scope = freshScope();
  const key = { name: 'any', version: '1' };
  const any = await registered(service, { projections: [{ key, schema: {} }] });
  const of = (name: string, filler: number, value: unknown) => {
    const made = observation(any, name, '');
    return { ...made, payload: { ...made.payload, text: 'x'.repeat(filler) }, projections: [{ key, value }] };
  };
  const bytes = Buffer.byteLength(JSON.stringify(of('fits', 0, 1).payload));
  const most = 1_048_576;
  expect((await submit(service, scope, of('fits', most - bytes, 'x'.repeat(most - 2)))).status).toBe(202);
  refused(await submit(service, scope, of('over', most - bytes + 1, 1)), '.payload');
  refused(await submit(service, scope, of('over', 0, 'x'.repeat(most - 1))), '.projections[0].value');
});

test('spec 10 §9: keys of JavaScript, and nothing that cannot be stored', async () => {
  const scope = freshScope();
  const strict = await registered(service, {
    source_schema: JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
  });
  const withProto = (value: unknown) => {
    const body = JSON.stringify({ scope_id: scope, observation: observation(strict, 'one') });
    return body.replace('"payload":{', `"payload":{"__proto__":${JSON.stringify(value)},`);
  };
  const send = (body: string) => service.send('POST', '/v1/source-observations', body);
  refused(await submit(service, scope, observation(strict, 'one')), '.payload');
  refused(await send(withProto(1)), '.payload.__proto__');
  expect((await send(withProto('x'))).status).toBe(202);
  const read = await service.send('GET', `/v1/scopes/${scope}/sources/${strict.name}/one`);
  expect(read.text).toContain('"__proto__":"x"');
  for (const name of ['a\0', '\ud800']) {
    expect((await submit(service, scope, fitting(name))).status).toBe(422);
    expect((await submit(service, scope, { ...fitting('one'), payload: { text: name } })).status).toBe(422);
  }
  for (const name of ['x'.repeat(257), '', ' ']) {
    expect((await submit(service, scope, fitting(name))).status).toBe(422);
  }
});

test('spec 10 §8: a type that nothing in the tenant has is 422, an unknown Source of a known one 404', async () => {
  const scope = freshScope();
  const read = (type: string) => service.send('GET', `/v1/scopes/${scope}/sources/${type}/one`);
  expectIssues(await read('nobodys'), ['source_type']);
  for (const type of [typed.name, 'content', 'skill-usage']) {
    expect(await read(type)).toMatchObject({ status: 404, json: { error: { code: 'source_not_found' } } });
  }
});
