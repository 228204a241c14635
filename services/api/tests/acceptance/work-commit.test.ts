import { afterAll, expect, test } from 'vitest';
import { handoffCalls } from '../support/handoff.ts';
import { freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

const service = await startService();
const calls = handoffCalls(service);

afterAll(() => service.stop());

const handOff = (scope_id: string, source_id: string, commit: boolean, text = `State of ${source_id}.`) =>
  service.call('handoff_current_work', {
    body: {
      scope_id,
      source_id,
      commit,
      handoff: { objective: 'Build.', state: [{ text }], disposition: 'continuable' },
    },
  });

const headOf = async (scope_id: string) =>
  (await service.call('continue_handoff', { body: { scope_id, selection: 'latest' } })).body;

test('spec 70 scenario 3: 20 concurrent hand-offs with commit make 20 revisions, and a replay answers its own', async () => {
  const scope_id = freshScope();
  const replies = await race(20, (index) => handOff(scope_id, `boundary-${index}`, true));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  const revisions = replies.map(({ body }) => body.committed?.revision ?? 0);
  expect([...revisions].sort((left, right) => left - right)).toEqual(replies.map((_, index) => index + 1));
  for (const { body } of replies) {
    expect(body.handoff.base?.revision ?? 0).toBeLessThan(body.committed?.revision ?? 0);
  }
  const position = await calls.nextPosition(scope_id);
  const repeats = await race(4, () => handOff(scope_id, 'boundary-7', true));
  for (const { body } of repeats) {
    expect(body.committed).toEqual(replies[7]?.body.committed);
    expect(body.boundary).toEqual(replies[7]?.body.boundary);
  }
  expect((await headOf(scope_id)).current_revision?.revision).toBe(20);
  expect(await calls.nextPosition(scope_id)).toBe(position);
});

test('spec 70 §1.3: a replay commits what was only prepared, once, also if it is raced', async () => {
  const scope_id = freshScope();
  const prepared = await handOff(scope_id, 'a', false);
  expect(prepared.body.committed).toBeNull();
  expect((await headOf(scope_id)).status).toBe('empty');
  const replies = await race(8, () => handOff(scope_id, 'a', true));
  expect(new Set(replies.map(({ body }) => body.committed?.revision))).toEqual(new Set([1]));
  expect((await headOf(scope_id)).content?.state[0]?.text).toBe('State of a.');
  // A revision that was committed by itself counts too.
  const second = await handOff(scope_id, 'b', false);
  await service.call('commit_handoff', { body: { scope_id, handoff: second.body.handoff } });
  expect((await handOff(scope_id, 'b', true)).body.committed?.revision).toBe(2);
  expect((await handOff(scope_id, 'a', true)).body.committed?.revision).toBe(1);
  expect((await handOff(scope_id, 'a', true, 'Something else.')).error?.code).toBe('source_conflict');
});

test('spec 70 §1.3: missing evidence commits and stores nothing', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'log', 'said');
  const send = (source_id: string) =>
    service.call('handoff_current_work', {
      body: {
        scope_id,
        source_id: 'boundary',
        commit: true,
        handoff: {
          objective: 'Build.',
          state: [
            {
              text: 'Seen.',
              basis: 'verified',
              evidence: [{ kind: 'source', source_ref: { name: 'content', source_id } }],
            },
          ],
          disposition: 'continuable',
        },
      },
    });
  expect((await send('nowhere')).error?.code).toBe('handoff_evidence_not_found');
  expect((await headOf(scope_id)).status).toBe('empty');
  expect((await send('log')).body.committed?.revision).toBe(1);
});
