import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generationCalls, objective, sourceCitation } from '../support/handoff-generation.ts';
import { countStatuses, freshScope, race } from '../support/memory.ts';
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

/** A Scope with the Sources s1, s2 … at the positions 1, 2 … */
async function scopeWith(sources: number): Promise<string> {
  const scope = freshScope();
  for (let number = 1; number <= sources; number += 1)
    await capture(service, scope, `s${number}`, `We decided to keep step number ${number}.`);
  return scope;
}

const ignoredAt = (boundary: string, cursor: number) => ({
  status: 'ignored',
  boundary_source: sourceCitation(boundary).source_ref,
  previous_position: cursor,
  current_position: cursor,
  draft: null,
});

describe('spec 30 scenario 21: a boundary is drafted once', () => {
  test('the cursor moves to it with the draft; again, and before it, everything is ignored', async () => {
    const scope = await scopeWith(3);
    const { body } = await calls.activate(scope, 's2', ['s1']);
    expect(body).toMatchObject({
      status: 'generated',
      boundary_source: { name: 'content', source_id: 's2' },
      previous_position: 0,
      current_position: 2,
      draft: { objective },
    });
    const cited = body.draft?.state.flatMap(({ citations }) => citations);
    expect(cited).toEqual([sourceCitation('s2'), sourceCitation('s1')]);
    expect((await calls.activate(scope, 's2', ['s1'])).body).toEqual(ignoredAt('s2', 2));
    expect((await calls.activate(scope, 's2', [], { objective: 'Another one.' })).body).toEqual(
      ignoredAt('s2', 2),
    );
    expect((await calls.activate(scope, 's1')).body).toEqual(ignoredAt('s1', 2));
    expect((await calls.activate(scope, 's3')).body).toMatchObject({
      status: 'generated',
      previous_position: 2,
      current_position: 3,
    });
  });

  test('a boundary that was passed over is never generated later', async () => {
    const scope = await scopeWith(5);
    await calls.activate(scope, 's5');
    for (const passed of ['s1', 's2', 's3', 's4'])
      expect((await calls.activate(scope, passed)).body).toEqual(ignoredAt(passed, 5));
  });
});

describe('spec 30 §3.4.1: the evidence', () => {
  test('is the boundary first, and then the rest without it', async () => {
    const scope = await scopeWith(3);
    const { body } = await calls.activate(scope, 's3', ['s1', 's3', 's2']);
    expect(body.draft?.state.map(({ citations }) => citations)).toEqual([
      [sourceCitation('s3')],
      [sourceCitation('s1')],
      [sourceCitation('s2')],
    ]);
  });

  test('is at most 32 with the boundary, without duplicates', async () => {
    const scope = await scopeWith(1);
    const many = Array.from({ length: 32 }, (_, index) => `other${index}`);
    const replies = [
      await calls.activate(scope, 's1', many),
      await calls.activate(scope, 's1', ['other', 'other']),
      // Before the boundary is looked for.
      await calls.activate(scope, 'gone', ['other', 'other']),
    ];
    for (const { status, error } of replies)
      expect({ status, details: error?.details }).toMatchObject({
        status: 422,
        details: { issues: [{ path: 'evidence' }] },
      });
    // With the boundary they are 32, so the error is the missing evidence.
    const fits = await calls.activate(scope, 's1', ['s1', ...many.slice(1)]);
    expect([fits.status, fits.error?.code]).toEqual([404, 'handoff_evidence_not_found']);
  });

  test('an unknown boundary is 404, in an unknown Scope as well; missing evidence leaves the cursor', async () => {
    const scope = await scopeWith(2);
    for (const place of [scope, freshScope()]) {
      const { status, error } = await calls.activate(place, 'gone');
      expect([status, error?.code]).toEqual([404, 'handoff_evidence_not_found']);
      expect(error?.details).toEqual({ citations: [sourceCitation('gone')] });
    }
    const missing = await calls.activate(scope, 's1', ['gone']);
    expect(missing.error?.details).toEqual({ citations: [sourceCitation('gone')] });
    expect((await calls.activate(scope, 's1')).body).toMatchObject({
      status: 'generated',
      previous_position: 0,
    });
    // For a boundary that is consumed the evidence is not read.
    expect((await calls.activate(scope, 's1', ['gone'])).body).toEqual(ignoredAt('s1', 1));
  });
});

describe('spec 30 §3.4.4: activations at the same time', () => {
  test('of one boundary with equal bodies share one draft', async () => {
    const scope = await scopeWith(1);
    const replies = await race(10, () => calls.activate(scope, 's1'));
    expect(countStatuses(replies)).toEqual({ 200: 10 });
    // A request after the end of the draft gets `ignored`.
    const generated = replies.filter(({ body }) => body.status === 'generated');
    expect(generated.length).toBeGreaterThan(0);
    for (const { body } of generated) expect(body).toEqual(generated[0]?.body);
    const jobs = await query<{ result: { status: string } }>(
      service.databaseUrl,
      `SELECT result FROM jobs WHERE scope_id = $1 AND result->>'status' = 'generated'`,
      [scope],
    );
    expect(jobs).toHaveLength(1);
  });

  test('of one boundary with different bodies get one draft; the others are ignored', async () => {
    const scope = await scopeWith(1);
    const replies = await race(8, (index) =>
      calls.activate(scope, 's1', [], { objective: `Objective ${index}` }),
    );
    const statuses = replies.map(({ body }) => body.status).sort();
    expect(statuses).toEqual(['generated', ...Array.from({ length: 7 }, () => 'ignored')]);
  });

  test('of many boundaries only move the cursor forward', async () => {
    const scope = await scopeWith(8);
    const replies = await race(8, (index) => calls.activate(scope, `s${index + 1}`));
    const moves = replies
      .map(({ body }) => body)
      .filter(({ status }) => status === 'generated')
      .sort((left, right) => left.current_position - right.current_position);
    expect(moves.at(-1)?.current_position).toBe(8);
    expect(moves[0]?.previous_position).toBe(0);
    for (const [index, move] of moves.entries())
      expect(move.previous_position).toBe(index === 0 ? 0 : moves[index - 1]?.current_position);
  });
});

test('spec 30 §3.4.2: with Prefer: respond-async a consumed boundary is answered without a job', async () => {
  const scope = await scopeWith(1);
  await calls.activate(scope, 's1');
  const body = { scope_id: scope, objective, boundary_source: { name: 'content', source_id: 's1' } };
  const reply = await service.send('POST', '/v1/handoff/activate', body, { prefer: 'respond-async' });
  expect([reply.status, reply.json]).toEqual([200, ignoredAt('s1', 1)]);
});

test('spec 30 §3.4.5: an asynchronous caller has received the result with the id of the job', async () => {
  const scope = await scopeWith(1);
  const body = { scope_id: scope, objective, boundary_source: { name: 'content', source_id: 's1' } };
  const accepted = await service.send('POST', '/v1/handoff/activate', body, { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const { job_id } = accepted.json as { job_id: string };
  const read = async () => (await service.call('get_job', { params: { job_id } })).body;
  await expect.poll(async () => (await read()).status).toBe('succeeded');
  expect((await calls.activate(scope, 's1')).body).toEqual(ignoredAt('s1', 1));
  expect(await read()).toMatchObject({ result: { status: 'generated', current_position: 1 } });
});
