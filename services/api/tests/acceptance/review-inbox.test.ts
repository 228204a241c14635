import type { ScopeSelection } from '@continuity/contract';
import type { InboxItem } from '@continuity/contract/review';
import { newId } from '@continuity/kernel/text';
import { afterAll, describe, expect, test } from 'vitest';
import { experience, skill } from '../support/documents.ts';
import { expectError } from '../support/envelope.ts';
import { expectIssues, freshScope, race } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, tokensFor, writeTokensFile } from '../support/tenants.ts';

const { tokens } = JSON.parse(tokensFor('a', 'b', 'c', 'reviewer')) as { tokens: { tenant?: string }[] };
const labeled = tokens.map((token) =>
  token.tenant === 'reviewer' ? { ...token, tenant: 'a', label: 'reviewer' } : token,
);
const service = await startService({
  environment: { AUTH_TOKENS_FILE: await writeTokensFile(JSON.stringify({ tokens: labeled })) },
});
const client = clientOf(service.url, 'a');
const review = reviewCalls(client);

afterAll(() => service.stop());

const exactly = (...scope_ids: string[]): ScopeSelection => ({ mode: 'exact', scope_ids });
const all: ScopeSelection = { mode: 'all' };

const inbox = async (selection: ScopeSelection, more: object = {}, from = client) =>
  (await from.call('list_candidate_inbox', { body: { selection, ...more } })).body;

const idsOf = (items: InboxItem[]) => items.map(({ candidate_id }) => candidate_id);

/** A Scope with a Source, and `count` Experience Candidates. */
async function openScope(count: number, from = client) {
  const scope = freshScope();
  const source_refs = await captureSources(from, scope, 1);
  const calls = reviewCalls(from);
  const ids = await race(count, async () => (await calls.propose(scope, { source_refs })).body.candidate_id);
  return { scope, source_refs, ids: ids.sort() };
}

describe('an item', () => {
  test('of an Experience has its title, counts and times, and no proposal', async () => {
    const { scope, source_refs } = await openScope(0);
    const lesson = `\n  ${'Regenerate \t the client. '.repeat(20)}\nThen run the tests.`;
    const { candidate_id } = (await review.propose(scope, { source_refs }, experience({ lesson }))).body;
    const { items, total, next_cursor } = await inbox(exactly(scope));
    const [item] = items;
    expect(item).toEqual({
      scope_id: scope,
      scope_title: scope,
      candidate_id,
      version: 1,
      family: 'experience',
      status: 'pending',
      title: `${'Regenerate the client. '.repeat(20).slice(0, 239)}…`,
      origin: 'proposed',
      target: null,
      head: null,
      stale: null,
      source_count: 1,
      artifact_count: 0,
      package: null,
      executable_count: null,
      package_summary: null,
      created_at: item?.created_at,
      updated_at: item?.created_at,
      decided_at: null,
      decided_by: null,
      result_artifact: null,
    });
    expect([total, next_cursor]).toEqual([{ value: 1, exact: true }, null]);
  });

  test('of a decided Candidate names who decided, and the result', async () => {
    const { scope, ids } = await openScope(2);
    const reviewer = reviewCalls(clientOf(service.url, 'reviewer'));
    const approved = (await reviewer.approve(scope, ids[0] ?? '')).body;
    await review.reject(scope, ids[1] ?? '');
    const [one] = (await inbox(exactly(scope), { status: 'approved' })).items;
    expect(one).toMatchObject({
      status: 'approved',
      decided_by: { label: 'reviewer' },
      decided_at: one?.updated_at,
      result_artifact: approved.result_artifact,
    });
    const [other] = (await inbox(exactly(scope), { status: 'rejected' })).items;
    expect(other).toMatchObject({ status: 'rejected', decided_by: null, result_artifact: null });
    expect(other?.decided_at).not.toBeNull();
  });

  test('of a Skill has its name and package, and says why its target is stale', async () => {
    const { scope, source_refs } = await openScope(0);
    const target = await review.create(scope, 'skill');
    const cited = { source_refs, artifact_refs: [target], target };
    const { proposal } = (await review.proposeSkill(scope, cited, skill({ name: 'renamed' }))).body;
    const [fresh] = (await inbox(exactly(scope))).items;
    expect(fresh).toMatchObject({
      title: 'renamed',
      target,
      head: target,
      stale: null,
      artifact_count: 1,
      executable_count: 0,
      package: (proposal as { package: object }).package,
    });
    await client.call('update_skill_lifecycle', {
      body: {
        scope_id: scope,
        artifact_id: target.artifact_id,
        expected_generation: 0,
        lifecycle_state: 'retired',
      },
    });
    expect((await inbox(exactly(scope))).items).toMatchObject([{ stale: 'target_retired', head: target }]);
  });

  test('of a target that moved has the head of now, and none once it is decided', async () => {
    const { scope } = await openScope(0);
    const target = await review.create(scope, 'experience');
    const cited = { artifact_refs: [target], target };
    const ids = [await review.propose(scope, cited), await review.propose(scope, cited)];
    await review.approve(scope, ids[0]?.body.candidate_id ?? '');
    const head = { ...target, revision: 2 };
    expect((await inbox(exactly(scope))).items).toMatchObject([{ stale: 'target_moved', target, head }]);
    expect((await inbox(exactly(scope), { status: 'approved' })).items).toMatchObject([
      { stale: null, target, head },
    ]);
  });
});

test('spec 60 §3.4.4: one Candidate of any status, if the selection, the Family and the origins have it', async () => {
  const { scope, ids } = await openScope(3);
  const [pending = '', rejected = ''] = ids;
  await review.reject(scope, rejected);
  for (const [candidate_id, status] of [
    [pending, 'pending'],
    [rejected, 'rejected'],
  ]) {
    const page = await inbox(all, { candidate_id });
    expect(page).toMatchObject({
      items: [{ candidate_id, status, scope_id: scope, origin: 'proposed', stale: null }],
      next_cursor: null,
      total: { value: 1, exact: true },
    });
    expect(await inbox(exactly(scope), { candidate_id, status: 'approved' })).toEqual(page);
  }
  const other = await openScope(0);
  const nothing = { items: [], next_cursor: null, total: { value: 0, exact: true } };
  expect(await inbox(exactly(other.scope), { candidate_id: pending })).toEqual(nothing);
  for (const more of [
    { family: 'skill' },
    { origins: ['incubated'] },
    { candidate_id: newId() },
    { candidate_id: pending.toUpperCase() },
    { candidate_id: "' OR true --".replaceAll(' ', '') },
  ]) {
    expect(await inbox(all, { candidate_id: pending, ...more })).toEqual(nothing);
  }
  const { next_cursor: cursor } = await inbox(exactly(scope), { limit: 1 });
  const answer = await client.call('list_candidate_inbox', {
    body: { selection: exactly(scope), candidate_id: pending, cursor },
  });
  expect(answer.error?.code).toBe('invalid_cursor');
  const unknown = await client.call('list_candidate_inbox', {
    body: { selection: exactly(freshScope()), candidate_id: pending },
  });
  expect(unknown.error?.code).toBe('scope_not_found');
});

test('spec 40 §4: pages over all Scopes, oldest and newest first, have each Candidate once', async () => {
  const tenant = clientOf(service.url, 'b');
  const scopes = [await openScope(7, tenant), await openScope(8, tenant)];
  const expected = scopes.flatMap(({ ids }) => ids).sort();
  await openScope(3);
  for (const order of ['oldest', 'newest']) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await inbox(all, { order, cursor, limit: 4 }, tenant);
      expect(page.total).toEqual({ value: 15, exact: true });
      seen.push(...idsOf(page.items));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(order === 'oldest' ? expected : expected.toReversed());
  }
});

test('spec 40 §4: family, origins, status and selection filter items and total', async () => {
  const { scope, source_refs, ids } = await openScope(2);
  const child = await client.call('create_scope', {
    body: { title: 'Child', summary: 'Below.', parent_scope_id: scope, idempotency_key: scope },
  });
  const below = child.body.scope_id;
  const own = await captureSources(client, below, 1);
  const tool = (await review.proposeSkill(below, { source_refs: own })).body.candidate_id;
  const subtree: ScopeSelection = { mode: 'subtree', root_scope_id: scope };
  const count = async (selection: ScopeSelection, more: object) => {
    const { items, total } = await inbox(selection, more);
    expect(total).toEqual({ value: items.length, exact: true });
    return idsOf(items);
  };
  expect(await count(subtree, {})).toEqual([...ids, tool].sort());
  expect(await count(subtree, { family: 'skill' })).toEqual([tool]);
  expect(await count(exactly(scope), { family: 'skill' })).toEqual([]);
  expect(await count(subtree, { origins: ['proposed', 'proposed'] })).toEqual([...ids, tool].sort());
  expect(await count(subtree, { origins: ['generated', 'uploaded', 'imported'] })).toEqual([]);
  await review.approve(scope, ids[0] ?? '');
  await review.revise(scope, ids[1] ?? '', 1, { source_refs }, experience());
  expect(await count(subtree, { status: 'approved' })).toEqual([ids[0]]);
  expect((await inbox(exactly(scope))).items).toMatchObject([{ candidate_id: ids[1], version: 2 }]);
});

test('spec 40 §4: a page of a selection looks at 1,000 Candidates, and total counts to 1,000', async () => {
  const tenant = clientOf(service.url, 'c');
  const first = await openScope(1, tenant);
  const crowded = await openScope(1, tenant);
  await query(
    service.databaseUrl,
    `WITH made AS (
       INSERT INTO candidates (tenant_id, candidate_id, scope_key, family, origin, title, source_count, artifact_count,
         created_at, updated_at)
       SELECT tenant_id, id, scope_key, family, origin, title, 1, 0, now(), now()
       FROM candidates, unnest($2::uuid[]) AS id WHERE candidate_id = $1 RETURNING tenant_id, scope_key
     )
     UPDATE candidate_counts c SET candidates = c.candidates + 1500
     FROM (SELECT DISTINCT tenant_id, scope_key FROM made) AS m
     WHERE (c.tenant_id, c.scope_key) = (m.tenant_id, m.scope_key)`,
    [crowded.ids[0], Array.from({ length: 1500 }, newId)],
  );
  const last = (await reviewCalls(tenant).propose(first.scope, { source_refs: first.source_refs })).body;
  const one = await inbox(exactly(first.scope), {}, tenant);
  expect([idsOf(one.items), one.total]).toEqual([first.ids, { value: 2, exact: true }]);
  const two = await inbox(exactly(first.scope), { cursor: one.next_cursor }, tenant);
  expect([idsOf(two.items), two.next_cursor]).toEqual([[last.candidate_id], null]);
  for (const selection of [all, exactly(crowded.scope)]) {
    const page = await inbox(selection, { limit: 1 }, tenant);
    expect(page.total).toEqual({ value: 1000, exact: false });
  }
});

test('a cursor belongs to its query', async () => {
  const { scope } = await openScope(3);
  const { next_cursor: cursor } = await inbox(exactly(scope), { limit: 1 });
  expect((await inbox(exactly(scope), { limit: 100, cursor })).items).toHaveLength(2);
  const uses = [
    { selection: all, cursor },
    { selection: exactly(scope), cursor, order: 'newest' },
    { selection: exactly(scope), cursor, status: 'rejected' },
    { selection: exactly(scope), cursor, family: 'skill' },
    { selection: exactly(scope), cursor, origins: ['proposed'] },
  ];
  for (const use of uses) {
    const reply = await client.send('POST', '/v1/artifact-candidates/inbox', use);
    expectError(reply, 400, 'invalid_cursor');
  }
});

test('an unknown Scope is 404, and origins without a member are 422', async () => {
  const send = (body: object) => client.send('POST', '/v1/artifact-candidates/inbox', body);
  expectError(await send({ selection: exactly(freshScope()) }), 404, 'scope_not_found');
  expectIssues(await send({ selection: all, origins: [] }), ['origins']);
  expectIssues(await send({ selection: all, origins: ['invented'] }), ['origins[0]']);
});

test('spec 40 §4: a reviewer reads every file of a package, in each version, before and after the decision', async () => {
  const { scope, source_refs, ids } = await openScope(1);
  const { candidate_id } = (await review.proposeSkill(scope, { source_refs })).body;
  await review.revise(scope, candidate_id, 1, { source_refs }, skill({ name: 'renamed' }));
  const { result_artifact } = (await review.approve(scope, candidate_id, 2)).body;
  for (const [version, name] of [
    [1, 'openapi-change'],
    [2, 'renamed'],
  ] as const) {
    const body = { scope_id: scope, candidate_id, version };
    const manifest = (await client.call('get_candidate_package_manifest', { body })).body;
    expect(manifest).toMatchObject({ name, files: [{ path: 'SKILL.md', executable: false }] });
    const { archive_base64, package: ref } = (await client.call('download_candidate_package', { body })).body;
    expect(ref).toEqual(manifest.package);
    expect(Buffer.from(archive_base64, 'base64').toString()).toContain(`name: "${name}"`);
  }
  const artifact = result_artifact ?? { family: 'skill', artifact_id: 'none', revision: 1 };
  const managed = await client.call('get_skill_package_manifest', { body: { scope_id: scope, artifact } });
  const body = { scope_id: scope, candidate_id, version: 2 };
  expect((await client.call('get_candidate_package_manifest', { body })).body).toEqual(managed.body);
  const wrong = [
    { ...body, version: 3 },
    { ...body, version: Number.MAX_SAFE_INTEGER },
    { ...body, scope_id: freshScope() },
    { ...body, candidate_id: ids[0] },
    { ...body, candidate_id: 'none' },
  ];
  for (const one of wrong) {
    for (const what of ['manifest', 'download']) {
      const reply = await client.send('POST', `/v1/artifact-candidates/package/${what}`, one);
      expectError(reply, 404, 'candidate_not_found');
    }
  }
});
