import { createHash } from 'node:crypto';
import type { Candidate } from '@continuity/contract/review';
import { newId } from '@continuity/kernel/text';
import { afterAll, expect, test } from 'vitest';
import { experience, skill } from '../support/documents.ts';
import { expectError } from '../support/envelope.ts';
import { freshScope, race } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokensFile } from '../support/tenants.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
const tokens = [
  { tenant: 'a', token_sha256: hashOf(tokenOf('a')), label: 'planner' },
  { tenant: 'a', token_sha256: hashOf(tokenOf('reviewer')), label: 'reviewer' },
  { tenant: 'a', token_sha256: hashOf(tokenOf('nameless')) },
];
const service = await startService({
  environment: { AUTH_TOKENS_FILE: await writeTokensFile(JSON.stringify({ tokens })) },
});
const client = clientOf(service.url, 'a');
const review = reviewCalls(client);

afterAll(() => service.stop());

const idsOf = (candidates: Candidate[]) => candidates.map(({ candidate_id }) => candidate_id);

/** A Scope with a Source, and `count` Experience Candidates. */
async function openScope(count: number) {
  const scope = freshScope();
  const source_refs = await captureSources(client, scope, 1);
  const ids = await race(count, async () => (await review.propose(scope, { source_refs })).body.candidate_id);
  return { scope, source_refs, ids: ids.sort() };
}

test('spec 40 scenario 10: pages of pending Candidates, while others are proposed and approved', async () => {
  const { scope, source_refs, ids } = await openScope(120);
  const first = (await review.list(scope, { limit: 50 })).body;
  expect(idsOf(first.candidates)).toEqual(ids.slice(0, 50));
  await race(20, () => review.propose(scope, { source_refs }));
  await race(5, (index) => review.approve(scope, ids[index] ?? ''));
  const cursor = first.next_cursor;
  const second = (await review.list(scope, { limit: 60, cursor })).body;
  const third = (await review.list(scope, { cursor: second.next_cursor })).body;
  expect(third.next_cursor).toBeNull();
  const seen = [first, second, third].flatMap(({ candidates }) => idsOf(candidates));
  expect(seen).toHaveLength(140);
  expect(seen).toEqual([...new Set(seen)].sort());
  expect(seen.slice(0, 120)).toEqual(ids);
});

test('spec 40 scenario 10: a cursor belongs to its Scope, status and family', async () => {
  const { scope, ids } = await openScope(3);
  const page = (await review.list(scope, { limit: 2 })).body;
  const cursor = page.next_cursor ?? '';
  expect(idsOf((await review.list(scope, { limit: 100, cursor })).body.candidates)).toEqual(ids.slice(2));
  const altered = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
  const uses = [
    { cursor: altered },
    { cursor, status: 'approved' },
    { cursor, family: 'experience' },
    { cursor: newId() },
  ];
  for (const use of uses) {
    const reply = await client.send('POST', '/v1/artifact-candidates/list', { scope_id: scope, ...use });
    expectError(reply, 400, 'invalid_cursor');
  }
  const elsewhere = await client.send('POST', '/v1/artifact-candidates/list', {
    scope_id: freshScope(),
    cursor,
  });
  expectError(elsewhere, 400, 'invalid_cursor');
});

test('a list has the Candidates of a status and a family, at their current versions', async () => {
  const { scope, source_refs, ids } = await openScope(3);
  const skillId = (await review.proposeSkill(scope, { source_refs })).body.candidate_id;
  const [approved = '', rejected = '', pending = ''] = ids;
  await review.approve(scope, approved);
  await review.reject(scope, rejected);
  const lesson = experience({ lesson: 'Revised.' });
  await review.revise(scope, pending, 1, { source_refs }, lesson);
  const listed = async (more: object) => idsOf((await review.list(scope, more)).body.candidates);
  expect(await listed({})).toEqual([pending, skillId].sort());
  expect(await listed({ family: 'skill' })).toEqual([skillId]);
  expect(await listed({ family: 'experience', status: 'approved' })).toEqual([approved]);
  expect(await listed({ status: 'rejected' })).toEqual([rejected]);
  const { candidates } = (await review.list(scope, { family: 'experience' })).body;
  expect(candidates).toMatchObject([{ version: 2, proposal: lesson }]);
  expect(await listed({ family: 'experience', limit: 1 })).toEqual([pending]);
  expect((await review.list(freshScope())).body).toEqual({ candidates: [], next_cursor: null });
});

test('spec 40 §4: versions are newest first, with their actors; an old one shows what it held', async () => {
  const { scope, source_refs, ids } = await openScope(1);
  const [id = ''] = ids;
  const others = [clientOf(service.url, 'reviewer'), clientOf(service.url, 'nameless')];
  for (const [index, one] of others.entries()) {
    const lesson = experience({ lesson: `Version ${index + 2}.` });
    await reviewCalls(one).revise(scope, id, index + 1, { source_refs }, lesson);
  }
  await review.approve(scope, id, 3);
  const { versions, next_cursor } = (await review.versions(scope, id)).body;
  expect(next_cursor).toBeNull();
  expect(versions.map(({ actor }) => actor)).toEqual([null, { label: 'reviewer' }, { label: 'planner' }]);
  expect(versions.map(({ candidate }) => [candidate.version, candidate.status])).toEqual([
    [3, 'approved'],
    [2, 'pending'],
    [1, 'pending'],
  ]);
  expect((await review.get(scope, id)).body).toMatchObject(versions[0]?.candidate ?? {});
  expect(versions[1]?.candidate).toMatchObject({ proposal: { lesson: 'Version 2.' }, result_artifact: null });
  const times = versions.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().reverse());

  const page = (await review.versions(scope, id, { limit: 2 })).body;
  const rest = (await review.versions(scope, id, { limit: 20, cursor: page.next_cursor })).body;
  expect([...page.versions, ...rest.versions]).toEqual(versions);
  const unknown = await review.versions(scope, newId());
  expect(unknown.error?.code).toBe('candidate_not_found');
});

test('spec 40 §4: a page of versions is at most 4 MiB', async () => {
  const { scope, source_refs } = await openScope(0);
  // A control character takes six bytes as JSON.
  const large = skill({ instructions: `${'\u0001'.repeat(120_000)}.` });
  const { candidate_id } = (await review.proposeSkill(scope, { source_refs }, large)).body;
  for (let version = 1; version < 8; version += 1) {
    await review.revise(scope, candidate_id, version, { source_refs }, large);
  }
  let cursor: string | null = null;
  const seen: number[] = [];
  const pages: number[] = [];
  do {
    const reply = await client.send('POST', '/v1/artifact-candidates/versions', {
      scope_id: scope,
      candidate_id,
      cursor,
      limit: 20,
    });
    const page = reply.json as { versions: { candidate: Candidate }[]; next_cursor: string | null };
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(4 * 1024 * 1024);
    seen.push(...page.versions.map(({ candidate }) => candidate.version));
    pages.push(page.versions.length);
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(pages).toEqual([5, 3]);
  expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
});
