import type { JsonObject } from '@continuity/kernel/json';
import type { RawReply } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { manifest, observation, register, registered, submit } from '../support/connectors.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { nest } from '../support/sources.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('a', 'b') } });
const a = clientOf(service.url, 'a');
const b = clientOf(service.url, 'b');

afterAll(() => service.stop());

const refused = (reply: RawReply, ...paths: string[]) =>
  expectIssues(
    reply,
    paths.map((path) => `manifest.${path}`),
  );

/** The answer to a manifest with this schema. */
const sendSchema = (source_schema: JsonObject) => register(a, manifest({ source_schema }));

/** A schema of exactly so many bytes of canonical JSON. */
const sized = (bytes: number) => ({ $comment: 'x'.repeat(bytes - '{"$comment":""}'.length) });

test('spec 10 §9: a manifest is registered, read back, and registered again', async () => {
  const made = manifest();
  const first = await register(a, made);
  expect(first).toMatchObject({ status: 200, json: made });
  expect((await register(a, made)).json).toEqual(made);
  const next = manifest({
    name: made.name,
    version: '2',
    source_schema: { type: 'object', minProperties: 1 },
  });
  expect((await register(a, next)).status).toBe(200);
});

test('spec 10 §9: the fingerprint of the example of the specification is that of its manifest', async () => {
  const made = manifest({
    name: 'git-file',
    source_schema: {
      type: 'object',
      required: ['name', 'definition_version', 'materialization', 'description', 'path', 'text'],
      properties: { path: { type: 'string' }, text: { type: 'string' } },
    },
    projections: [
      {
        key: { name: 'service.builtin.text-evidence', version: '1' },
        schema: {
          type: 'object',
          required: ['source_type', 'source_id', 'content', 'metadata'],
          properties: {
            source_type: { type: 'string' },
            source_id: { type: 'string' },
            content: { type: 'string' },
            metadata: { type: 'object' },
          },
        },
      },
    ],
  });
  expect(made.fingerprint).toBe('sha256:89e90b036045663797d5b4173192acc3ce6175f58b764c7ab4c60998821f0ec4');
  expect((await register(a, made)).status).toBe(200);
});

test('spec 10 scenario 26: a changed schema under the same version is 409', async () => {
  const made = await registered(a);
  const other = manifest({ ...made, source_schema: { type: 'object', maxProperties: 9 } });
  const reply = await register(a, other);
  expect(reply).toMatchObject({ status: 409, json: { error: { code: 'source_definition_conflict' } } });
  expect((reply.json as { error: { details: unknown } }).error.details).toEqual({
    name: made.name,
    version: '1',
    current_fingerprint: made.fingerprint,
  });
});

test('spec 10 scenario 26: a wrong fingerprint, a remote $ref and 17 projections are 422', async () => {
  const wrong = `sha256:${'0'.repeat(64)}`;
  refused(await register(a, { ...manifest(), fingerprint: wrong }), 'fingerprint');
  for (const $ref of ['https://schemas.example/x', 'other.json', '//host/x', 'file:///etc/passwd', '']) {
    refused(await sendSchema({ properties: { a: { $ref } } }), 'source_schema.properties.a.$ref');
  }
  const projection = (index: number) => ({ key: { name: `p${index}`, version: '1' }, schema: {} });
  const projections = (count: number) => Array.from({ length: count }, (_, index) => projection(index));
  expect((await register(a, manifest({ projections: projections(16) }))).status).toBe(200);
  refused(await register(a, manifest({ projections: projections(17) })), 'projections');
});

test('spec 10 scenario 26: a pattern such as (a+)+$ never slows a later submission', async () => {
  const made = await registered(a, {
    source_schema: { properties: { text: { pattern: '(a+)+$' } }, patternProperties: { '^(b|bb)+$': true } },
  });
  const text = `${'a'.repeat(100_000)}!`;
  const reply = await submit(a, freshScope(), observation(made, 'slow', text, { ['b'.repeat(50_000)]: 1 }));
  expectIssues(reply, ['observation.payload.text']);
});

test.each([
  ['a look-ahead', { pattern: 'a(?=b)' }, '.pattern'],
  ['a back-reference', { pattern: '(a)\\1' }, '.pattern'],
  ['no regular expression', { patternProperties: { '(': true } }, '.patternProperties'],
  ['a type that is none', { type: 'text' }, '.type'],
  ['a negative bound', { minLength: -1 }, '.minLength'],
  ['a schema that is none', { items: [true] }, '.items'],
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '.$schema'],
  ['a reference to nothing', { $ref: '#/$defs/none' }, '.$ref'],
  ['a reference to a name of JavaScript', { $dynamicRef: '#constructor' }, '.$dynamicRef'],
  ['a reference into data', { $ref: '#/const', const: { type: 'string' } }, '.$ref'],
  ['a reference to itself', { $ref: '#' }, ''],
  ['a loop of references', { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } }, '.$defs.a'],
])('spec 10 §11.8: a schema with %s is 422', async (_name, schema, path) => {
  refused(await sendSchema(schema as JsonObject), `source_schema${path}`);
});

test.each([
  [
    'keywords as data',
    { const: { $ref: 'https://x.example', type: 'none', pattern: '(' }, enum: [{ $id: 1 }] },
  ],
  [
    'properties of any name',
    JSON.parse('{"properties":{"__proto__":{"type":"string"},"$ref":{"type":"null"}}}'),
  ],
  ['a reference that consumes', { items: { $ref: '#' } }],
  ['a format', { format: 'uri', pattern: '^(?<scheme>\\w+):' }],
  ['unknown keywords', { 'x-note': { $ref: 'https://x.example' } }],
])('spec 10 §11.8: a schema with %s is accepted', async (_name, source_schema) => {
  const reply = await sendSchema(source_schema as JsonObject);
  expect(reply.status, reply.text).toBe(200);
});

test('spec 10 §11.8: a schema has at most 65,536 bytes and 32 levels', async () => {
  expect((await sendSchema(sized(65_536))).status).toBe(200);
  refused(await sendSchema(sized(65_537)), 'source_schema');
  // The schema is level 1, and `default` may hold anything.
  expect((await sendSchema({ default: nest([], 30) as JsonObject })).status).toBe(200);
  refused(await sendSchema({ default: nest([], 31) as JsonObject }), 'source_schema');
  const projections = [{ key: { name: 'p', version: '1' }, schema: sized(65_537) }];
  refused(await register(a, manifest({ projections })), 'projections[0].schema');
});

test('spec 10 §9.1.1: names have no white space at an end, and keys of projections are different', async () => {
  refused(await register(a, manifest({ name: ' x' })), 'name');
  refused(await register(a, manifest({ version: 'x\u00a0' })), 'version');
  const key = { name: 'p', version: '1' };
  refused(
    await register(a, manifest({ projections: [{ key: { ...key, name: 'p ' }, schema: {} }] })),
    'projections[0].key.name',
  );
  const twice = [
    { key, schema: {} },
    { key, schema: { type: 'null' } },
  ];
  refused(await register(a, manifest({ projections: twice as never })), 'projections[1].key');
  for (const [name, version] of [
    ['service.builtin.text-evidence', '2'],
    ['service.other', '1'],
  ] as const) {
    refused(
      await register(a, manifest({ projections: [{ key: { name, version }, schema: {} }] })),
      'projections[0].key',
    );
  }
  for (const name of ['x'.repeat(128), '\u{1F9E0}'.repeat(128)]) {
    expect((await register(a, manifest({ name }))).status).toBe(200);
  }
  refused(await register(a, manifest({ name: 'x'.repeat(129) })), 'name');
  for (const name of ['\0', '\ud800']) expect((await register(a, { ...manifest(), name })).status).toBe(422);
});

test('spec 10 §9.1.2, §11.4: names of the service are reserved', async () => {
  const reply = await register(a, manifest({ name: 'service.mine' }));
  expect(reply).toMatchObject({ status: 409, json: { error: { details: { reason: 'reserved' } } } });
  for (const name of ['content', 'skill-usage', 'skill-package-upload', 'external-skill-snapshot']) {
    refused(await register(a, manifest({ name })), 'name');
  }
});

test('spec 10 §9.1.2: of concurrent different registrations one is 200, and equal ones all are', async () => {
  for (let round = 0; round < 5; round += 1) {
    const name = freshScope('type');
    const replies = await race(8, (index) =>
      register(a, manifest({ name, source_schema: { type: 'object', maxProperties: index } })),
    );
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 7 });
    const equal = manifest();
    expect(countStatuses(await race(8, () => register(a, equal)))).toEqual({ 200: 8 });
  }
});

test('spec 10 scenario 29: definitions are of their tenant, and capabilities list their names', async () => {
  const [first, second] = ['b type', 'a type'].map((name) => manifest({ name }));
  for (const made of [first, second]) expect((await register(b, made ?? {})).status).toBe(200);
  await register(b, manifest({ name: 'b type', version: '0' }));
  const { body } = await b.call('get_capabilities');
  expect(body.source_types).toEqual(['content', 'a type', 'b type']);
  expect((await register(a, manifest({ name: 'b type', source_schema: {} }))).status).toBe(200);
  const unknown = await submit(a, freshScope(), observation(manifest({ name: 'a type' }), 'one'));
  expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'source_definition_not_found' } } });
});
