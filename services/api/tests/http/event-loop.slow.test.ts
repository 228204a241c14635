import { citeSource } from '@continuity/contract/evidence';
import { longestHold, watchEventLoop } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogCalls } from '../support/catalog.ts';
import { type Manifest, observation, registered } from '../support/connectors.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { draft, prepared } from '../support/handoff.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const MiB = 1_048_576;
/** Bodies that a test sends. The least hold counts: the first ones also compile code and start threads. */
const rounds = 3;

const service = await startService();
const gateway = await startGatewayProcess(service, {}, { nodeArguments: watchEventLoop });
const holdOf = longestHold(gateway);
let ticket: Manifest;

beforeAll(async () => {
  ticket = await registered(service);
  await capture(service, 'evidence', 'evidence');
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service.stop();
});

interface Sent {
  path: string;
  /** A different body for each round. */
  body: (round: number) => string;
  status: number;
  headers?: (round: number) => Record<string, string>;
}

function key(index: number): string {
  return ((index * 2_654_435_761) % 4_294_967_296).toString(36);
}

function list(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join(',');
}

/** Chinese text whose pairs of characters hardly repeat. */
function hanzi(count: number, seed: number): string {
  return Array.from({ length: count }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7_919 + seed * 104_729) % 20_000)),
  ).join('');
}

const scopePath = '/v1/scopes/held';
const createSource = { path: `${scopePath}/sources`, status: 201 };
const commitHandoff = { path: '/v1/handoff/commit', status: 422 };

function statement(text: string, citations: number) {
  const cited = Array.from({ length: citations }, () =>
    citeSource({ name: 'content', source_id: 'evidence' }),
  );
  return { text, citations: cited };
}

/** The call of a tool as a message of MCP. */
function toolCall(name: string, args: string) {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
}

const mcp = {
  path: '/mcp',
  status: 200,
  headers: () => ({ accept: 'application/json, text/event-stream' }),
};

const cases: Record<string, Sent> = {
  'a tool call with 8 MiB in one argument': {
    ...mcp,
    body: () => toolCall('commit_handoff', JSON.stringify({ scope_id: 'x'.repeat(8 * MiB - 1_000) })),
  },
  'a tool call with 19,000 wrong statements': {
    ...mcp,
    body: () =>
      toolCall(
        'commit_handoff',
        `{"scope_id":"a","handoff":{"content":{"state":[${list(19_000, () => '{}')}]}}}`,
      ),
  },
  'a tool call with 4 MiB in 19,000 unknown arguments': {
    ...mcp,
    body: () =>
      toolCall('commit_handoff', `{${list(19_000, (index) => `"${key(index)}${'x'.repeat(200)}":1`)}}`),
  },
  '8 MiB of nested arrays': { ...commitHandoff, body: () => '['.repeat(8 * MiB) },
  '8 MiB of arrays': { ...commitHandoff, body: () => `[${list(2_700_000, () => '[]')}]` },
  '8 MiB of unknown fields': {
    ...commitHandoff,
    body: () => `{${list(19_990, (index) => `"${key(index)}${'x'.repeat(400)}":1`)}}`,
  },
  '20,000 unknown fields': {
    path: '/v1/memory/remember',
    status: 422,
    body: () => `{${list(19_990, (index) => `"${key(index)}":1`)}}`,
  },
  '20,000 wrong statements': {
    ...commitHandoff,
    body: () => `{"scope_id":"a","handoff":{"content":{"state":[${list(19_000, () => '{}')}]}}}`,
  },
  '8 MiB in one field': {
    ...commitHandoff,
    body: () => JSON.stringify({ scope_id: 'x'.repeat(8 * MiB - 20) }),
  },
  '8 MiB of escaped characters': {
    ...commitHandoff,
    body: () => `{"scope_id":"${'\\u5718'.repeat(1_390_000)}"}`,
  },
  'content of 340,000 objects': {
    ...createSource,
    body: (round) => `{"content":[${round},${list(340_000, () => '{}')}]}`,
  },
  'content of 90,000 fields': {
    ...createSource,
    body: (round) => `{"content":{"round":${round},${list(90_000, (index) => `"${key(index)}":1`)}}}`,
  },
  'content of 990,000 objects, which is too long': {
    ...createSource,
    status: 422,
    body: () => `{"content":[${list(990_000, () => '{}')}]}`,
  },
  'content of 1 MiB with an Idempotency-Key': {
    ...createSource,
    headers: (round) => ({ 'idempotency-key': `key-${round}` }),
    body: (round) => JSON.stringify({ content: { round, text: '團'.repeat(349_000) } }),
  },
  'captured content of 200,000 characters': {
    path: '/v1/sources/content',
    status: 202,
    body: (round) =>
      JSON.stringify({ scope_id: 'held', source_id: `captured-${round}`, content: '團'.repeat(200_000) }),
  },
  'captured metadata of 30,000 fields': {
    path: '/v1/sources/content',
    status: 422,
    body: (round) =>
      `{"scope_id":"held","source_id":"metadata-${round}","content":"x","metadata":{${list(30_000, (index) => `"${key(index)}":1`)}}}`,
  },
  'an observation with a payload of 1 MiB': {
    path: '/v1/source-observations',
    status: 202,
    body: (round) => {
      const values = Array.from({ length: 90_000 }, (_, index) => index * 997);
      return JSON.stringify({
        scope_id: 'held',
        observation: observation(ticket, `ticket ${round}`, 'x', { values }),
      });
    },
  },
  'a checkpoint of 512 KiB': {
    path: '/v1/connector-checkpoints/commit',
    status: 422,
    body: () =>
      `{"binding":{"scope_id":"a","binding_id":"a","connector_name":"a","connector_version":"1"},"expected":null,"checkpoint":{${list(40_000, (index) => `"${key(index)}":1`)}}}`,
  },
  'the largest Handoff': {
    ...commitHandoff,
    status: 200,
    body: (round) => {
      const change = {
        ...draft({
          state: Array.from({ length: 64 }, (_, index) => statement(`${index} ${'團'.repeat(8_000)}`, 32)),
        }),
        objective: `Round ${round}.`,
      };
      return JSON.stringify({ scope_id: 'evidence', handoff: prepared('evidence', round, change) });
    },
  },
  'the largest Handoff by a tool call': {
    ...mcp,
    body: (round) => {
      const state = Array.from({ length: 64 }, (_, index) => statement(`${index} ${'團'.repeat(8_000)}`, 32));
      const change = { ...draft({ state }), objective: `By a tool, round ${round}.` };
      const handoff = prepared('evidence', rounds + round, change);
      return toolCall('commit_handoff', JSON.stringify({ scope_id: 'evidence', handoff }));
    },
  },
  'a Memory of 20 long entries': {
    path: `${scopePath}/artifacts`,
    status: 201,
    body: (round) => {
      const entries = Array.from({ length: 20 }, (_, index) => ({
        kind: 'fact',
        text: `${round} ${index} ${hanzi(2_700, round * 100 + index)}`,
      }));
      return JSON.stringify({ family: 'memory', content: { entries } });
    },
  },
  'the largest Skill': {
    path: `${scopePath}/artifacts`,
    status: 201,
    body: (round) =>
      JSON.stringify({
        family: 'skill',
        content: {
          name: `skill-${round}`,
          description: 'A long Skill.',
          instructions: `${round} ${'團隊規則 deploy '.repeat(6_000)}`,
          validation: [],
        },
      }),
  },
  'the largest task outcome': {
    path: '/v1/work/outcomes/record',
    status: 202,
    body: (round) =>
      JSON.stringify({
        scope_id: 'evidence',
        source_id: `outcome-${round}`,
        outcome: {
          objective: 'x',
          status: 'succeeded',
          summary: 'x',
          observations: Array.from({ length: 40 }, (_, index) => ({
            text: `${index} ${'團'.repeat(8_000)}`,
          })),
        },
      }),
  },
};

test.each(Object.keys(cases))(
  '%s: no body holds the event loop for 50 ms of processor time',
  async (name) => {
    const sent = cases[name];
    if (sent === undefined) throw new Error(`There is no case ${name}.`);
    const { path, body, status, headers } = sent;
    const holds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const text = body(round);
      await holdOf();
      const reply = await gateway.client.send('POST', path, text, headers?.(round));
      expect({ status: reply.status, text: reply.status === status ? '' : reply.text.slice(0, 300) }).toEqual(
        { status, text: '' },
      );
      holds.push(await holdOf());
    }
    expect(Math.min(...holds)).toBeLessThan(50);
  },
);

test('a page of 100 long Candidates never holds the event loop for 50 ms of processor time', async () => {
  const scope_id = 'reviewed';
  await capture(service, scope_id, 'evidence');
  const long = 'Run the "deploy" job. '.repeat(5_900);
  for (let index = 0; index < 100; index += 1) {
    const proposed = await service.call('propose_skill', {
      body: {
        scope_id,
        proposal: {
          name: `skill-${index}`,
          description: 'A long Skill.',
          instructions: long,
          validation: [],
        },
        source_refs: [{ name: 'content', source_id: 'evidence' }],
        artifact_refs: [],
      },
    });
    expect(proposed.status).toBe(201);
  }
  const holds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await holdOf();
    const page = await gateway.client.call('list_artifact_candidates', { body: { scope_id, limit: 100 } });
    expect(page.body.candidates).toHaveLength(100);
    holds.push(await holdOf());
  }
  expect(Math.min(...holds)).toBeLessThan(50);
});

test('a library of 200 long Skills never holds the event loop for 50 ms of processor time', async () => {
  const scope_id = 'library';
  const content = { name: 'long', description: 'A long Skill.', instructions: 'Run it. '.repeat(16_000) };
  const created = await service.send('POST', `/v1/scopes/${scope_id}/artifacts`, {
    family: 'skill',
    content: { ...content, validation: [] },
  });
  expect(created.status).toBe(201);
  await query(
    service.databaseUrl,
    `WITH first AS (
       SELECT a.*, r.sources, r.content, r.content_digest FROM artifacts a
       JOIN artifact_revisions r USING (tenant_id, artifact_key) JOIN scopes s USING (tenant_id, scope_key)
       WHERE s.scope_id = $1
     ), copies AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT tenant_id, scope_key, family, 'copy-' || n, 1 FROM first, generate_series(1, 199) AS n
       RETURNING tenant_id, artifact_key, scope_key, artifact_id
     ), revisions AS (
       INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, sources, content, content_digest)
       SELECT c.tenant_id, c.artifact_key, 1, f.sources, f.content, f.content_digest FROM copies c, first f
     )
     INSERT INTO managed_skills (tenant_id, artifact_key, scope_key, artifact_id, name)
     SELECT tenant_id, artifact_key, scope_key, artifact_id, 'long' FROM copies`,
    [scope_id],
  );
  const holds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await holdOf();
    const library = await gateway.client.call('list_managed_skills', { body: { scope_id, limit: 200 } });
    expect(library.body.skills).toHaveLength(200);
    holds.push(await holdOf());
  }
  expect(Math.min(...holds)).toBeLessThan(50);
});

test('pages of 100 long activities and Workstreams never hold the event loop for 50 ms of processor time', async () => {
  const calls = catalogCalls(service);
  const { project_id } = await calls.made();
  const references = Array.from({ length: 32 }, (_, index) => ({
    kind: 'other' as const,
    provider: 'p',
    external_id: `${index}`,
    url: '😀'.repeat(2_048),
  }));
  await calls.record(project_id, { evidence_refs: references });
  await calls.register(project_id, 'listed', { external_refs: references });
  await query(
    service.databaseUrl,
    `WITH activities AS (
       INSERT INTO report_activities
       SELECT tenant_id, project_id, n, gen_random_uuid(), source, n::text, scope_id, effective_at, observed_at, event
       FROM report_activities, generate_series(2, 100) n WHERE project_id = $1
     ), copies AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary)
       SELECT tenant_id, scope_id || n, title, summary FROM scopes, generate_series(2, 100) n WHERE scope_id = 'listed'
       RETURNING tenant_id, scope_id
     ), workstreams AS (
       INSERT INTO report_workstreams (tenant_id, scope_id, project_id, title, kind, catalog_state, external_refs)
       SELECT c.tenant_id, c.scope_id, project_id, title, kind, catalog_state, external_refs
       FROM report_workstreams w, copies c WHERE w.scope_id = 'listed'
     )
     UPDATE report_activity_sequences SET last_cursor = 100 WHERE project_id = $1`,
    [project_id],
  );
  const remote = catalogCalls(gateway.client);
  for (const list of [remote.activities, remote.workstreams]) {
    const holds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await holdOf();
      expect((await list(project_id, { limit: 100 })).body.items).toHaveLength(100);
      holds.push(await holdOf());
    }
    expect(Math.min(...holds)).toBeLessThan(50);
  }
});
