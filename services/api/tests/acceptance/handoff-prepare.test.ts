import { citeArtifact } from '@continuity/contract/evidence';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import type { Reply } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactCalls } from '../support/artifacts.ts';
import { handoffCalls } from '../support/handoff.ts';
import { generationCalls, objective, sourceCitation } from '../support/handoff-generation.ts';
import { freshScope, race, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

let service: TestService;
let calls: ReturnType<typeof generationCalls>;

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
  calls = generationCalls(service);
});

afterAll(() => service.stop());

const notes = `We decided that expired carts answer 410.
- [x] The handler is written.
- [ ] Next step: adapt the web client.

The load test of the checkout was never run.`;

function expectIssue({ status, error }: Pick<Reply<unknown>, 'status' | 'error'>, path: string): void {
  expect({ status, details: error?.details }).toMatchObject({ status: 422, details: { issues: [{ path }] } });
}

/** Bytes of the content that a draft becomes. */
const bytesOf = (draft: object) =>
  Buffer.byteLength(canonicalJson({ schema: 'service.handoff.v1', ...draft } as JsonValue));

test('spec 30 §3.3.2: the built-in draft keeps the objective, cites the evidence and says that rules made it', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  const { status, body } = await calls.prepare(scope, ['notes']);
  expect(status).toBe(200);
  expect(body.objective).toBe(objective);
  expect(body.state.map(({ text }) => text)).toContain('We decided that expired carts answer 410.');
  expect(body.next_action).toEqual({
    text: 'Next step: adapt the web client.',
    citations: [sourceCitation('notes')],
  });
  expect(body.disposition).toBe('continuable');
  for (const { citations } of body.state) expect(citations).toEqual([sourceCitation('notes')]);
  expect(body.omissions[0]?.text).toContain('Drafted by rules');
  expect(bytesOf(body)).toBeLessThanOrEqual(8_000);
});

test('spec 30 §3.3.4: only the job is written, and an equal request gets an equal draft', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  const count = () =>
    query(
      service.databaseUrl,
      `SELECT (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM artifact_revisions) AS revisions,
        (SELECT sum(handoff_cursor) FROM source_sequences) AS cursors, (SELECT count(*) FROM scopes) AS scopes`,
    );
  const before = await count();
  const first = await calls.prepare(scope, ['notes']);
  expect((await calls.prepare(scope, ['notes'])).body).toEqual(first.body);
  expect(await count()).toEqual(before);
});

test('spec 30 §3.3: the draft is finalized and committed as it is, and the Handoff is evidence of the next one', async () => {
  const scope = freshScope();
  const handoff = handoffCalls(service);
  await capture(service, scope, 'notes', notes);
  const { body: draft } = await calls.prepare(scope, ['notes']);
  const finalized = await handoff.finalize(scope, draft);
  expect(finalized.body.content).toEqual({ schema: 'service.handoff.v1', ...draft });
  const committed = await handoff.commit(scope, finalized.body);
  const evidence = [citeArtifact(committed.body.reference)];
  const next = await service.call('prepare_handoff', { body: { scope_id: scope, objective, evidence } });
  expect(next.body.next_action).toEqual({ text: 'Next step: adapt the web client.', citations: evidence });
});

test('spec 30 §2.4: a draft continues from the boundary that handoff_current_work captured', async () => {
  const scope = freshScope();
  await handoffCalls(service).handOff({
    scope_id: scope,
    source_id: 'boundary',
    handoff: {
      objective,
      state: [{ text: 'Expired carts now answer 410.' }],
      disposition: 'blocked',
      next_action: { text: 'Decide with the web team which status to keep.' },
    },
  });
  const { body } = await calls.activate(scope, 'boundary');
  const citations = [sourceCitation('boundary')];
  expect(body.draft).toMatchObject({
    disposition: 'blocked',
    state: [{ text: 'Expired carts now answer 410.', citations }],
    next_action: { text: 'Decide with the web team which status to keep.', citations },
  });
});

test('spec 30 §3.3: evidence of every kind is read', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', 'The export is written in the billing service.');
  const { entry } = await remember(service, scope, 'We decided to keep the export monthly.', 'decision');
  const artifact = artifactCalls(service);
  await artifact.create(scope, artifact.facts('The archive holds twelve months of exports.'));
  const { body: second } = await artifact.create(
    scope,
    artifact.facts('The upload is limited to ten megabytes.'),
  );
  const evidence = [
    sourceCitation('notes'),
    { kind: 'memory' as const, memory_citation: entry.citation },
    {
      kind: 'artifact' as const,
      artifact_ref: { family: 'memory', artifact_id: second.artifact_id, revision: 1 },
    },
  ];
  const { body } = await service.call('prepare_handoff', { body: { scope_id: scope, objective, evidence } });
  expect(body.state).toEqual([
    { text: 'The export is written in the billing service.', citations: [evidence[0]] },
    { text: 'We decided to keep the export monthly.', citations: [evidence[1]] },
    { text: 'The upload is limited to ten megabytes.', citations: [evidence[2]] },
  ]);
});

describe('spec 30 §3.3.1, §8.4: evidence that cannot be read', () => {
  test('is 404 with each missing Citation once, in order, and nothing is enqueued', async () => {
    const scope = freshScope();
    await capture(service, scope, 'notes', notes);
    await capture(service, freshScope(), 'elsewhere', notes);
    const { status, error } = await calls.prepare(scope, ['gone', 'notes', 'elsewhere']);
    expect([status, error?.code]).toEqual([404, 'handoff_evidence_not_found']);
    expect(error?.details).toEqual({ citations: [sourceCitation('gone'), sourceCitation('elsewhere')] });
    const jobs = await query(service.databaseUrl, 'SELECT FROM jobs WHERE scope_id = $1', [scope]);
    expect(jobs).toEqual([]);
  });

  test('is 422 source_not_eligible for the system Source of a Create', async () => {
    const scope = freshScope();
    const artifact = artifactCalls(service);
    const { body } = await artifact.create(scope, artifact.facts('Anything.'));
    const source_id = body.sources[0]?.source_id ?? '';
    const prepared = await calls.prepare(scope, [source_id]);
    const activated = await calls.activate(scope, source_id);
    for (const { status, error } of [prepared, activated]) {
      expect([status, error?.code]).toEqual([422, 'source_not_eligible']);
      expect(error?.details).toEqual({ source_ref: { name: 'content', source_id } });
    }
  });
});

test('spec 30 §3.3: the shape of the request is checked', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  expectIssue(await calls.prepare(scope, ['notes', 'notes']), 'evidence');
  expectIssue(await calls.prepare(scope, []), 'evidence');
  expectIssue(
    await calls.prepare(
      scope,
      Array.from({ length: 33 }, (_, index) => `s${index}`),
    ),
    'evidence',
  );
  expectIssue(await calls.prepare(scope, ['notes'], { max_bytes: 511 }), 'max_bytes');
  expectIssue(await calls.prepare(scope, ['notes'], { max_bytes: 32_769 }), 'max_bytes');
  expectIssue(await calls.prepare(scope, ['notes'], { objective: ' ' }), 'objective');
});

test('spec 30 §8.6: an objective that alone is over max_bytes is 422', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  const fields = { objective: 'ü'.repeat(300), max_bytes: 512 };
  expectIssue(await calls.prepare(scope, ['notes'], fields), 'objective');
  expectIssue(await calls.activate(scope, 'notes', [], fields), 'objective');
});

test('spec 30 §3.3.2: the draft stays within the smallest budget', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes.repeat(40));
  const { status, body } = await calls.prepare(scope, ['notes'], { max_bytes: 512 });
  expect(status).toBe(200);
  expect(bytesOf(body)).toBeLessThanOrEqual(512);
});

test('spec 30 §3.3.3: without room for a word beside the objective, there is no draft', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  const fields = { objective: 'x'.repeat(480), max_bytes: 512 };
  const { status, error } = await calls.prepare(scope, ['notes'], fields);
  expect([status, error?.code, error?.details]).toEqual([
    500,
    'invalid_handoff_generation',
    { reason: 'budget' },
  ]);
});

test('spec 30 §3.3: concurrent different requests get their own drafts', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  const replies = await race(10, (index) =>
    calls.prepare(scope, ['notes'], { objective: `Objective ${index}` }),
  );
  expect(replies.map(({ body }) => body.objective)).toEqual(replies.map((_, index) => `Objective ${index}`));
});

test('spec 00 §7: with Prefer: respond-async the draft is the result of the job', async () => {
  const scope = freshScope();
  await capture(service, scope, 'notes', notes);
  const body = { scope_id: scope, objective, evidence: [sourceCitation('notes')] };
  const accepted = await service.send('POST', '/v1/handoff/prepare', body, { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const { job_id } = accepted.json as { job_id: string };
  const read = async () => (await service.call('get_job', { params: { job_id } })).body;
  await expect.poll(async () => (await read()).status).toBe('succeeded');
  expect(await read()).toMatchObject({
    queue: 'candidate-generation',
    operation: 'prepare_handoff',
    scope_id: scope,
    result: { objective },
  });
});
