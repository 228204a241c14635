import { afterAll, describe, expect, test } from 'vitest';
import { documentCalls, experience, skill } from '../support/documents.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { captureSources, reviewCalls, setLifecycle, sourceRef, sourceRefs } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('a', 'b') } });
const client = clientOf(service.url, 'a');
const other = clientOf(service.url, 'b');
const review = reviewCalls(client);
const documents = documentCalls(client);

afterAll(() => service.stop());

const headersOf = (key: string) => ({ 'Idempotency-Key': key });

test('spec 40 scenario 1: 1 to 32 references without duplicates, and at most 32 of a kind as sent', async () => {
  const scope = freshScope();
  const sources = await captureSources(client, scope, 32);
  const artifact = await review.create(scope, 'experience');
  const sent = (source_refs: object[], artifact_refs: object[] = []) =>
    review.send(scope, { source_refs, artifact_refs });
  expectIssues(await sent([]), ['source_refs']);
  expectIssues(await sent(sources, [artifact]), ['source_refs']);
  expectIssues(await sent([...sources, ...sourceRefs(1)]), ['source_refs']);
  const accepted = await sent([...sourceRefs(31), ...sourceRefs(1)], [artifact]);
  expect(accepted.status).toBe(201);
  expect(accepted.json).toMatchObject({ source_refs: sourceRefs(31), artifact_refs: [artifact] });
});

describe('spec 40 scenario 2: evidence that cannot be cited', () => {
  test('a Source of another Scope, of another tenant and of nobody look alike', async () => {
    const scope = freshScope();
    await capture(client, freshScope(), 'elsewhere');
    await capture(client, scope, 'here');
    await capture(other, scope, 'foreign');
    const replies = await race(3, (index) =>
      review.send(scope, { source_refs: [sourceRef(['elsewhere', 'foreign', 'never'][index] ?? '')] }),
    );
    expectIssues(replies[0] ?? { status: 0, json: {} }, ['source_refs[0]']);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await review.list(scope)).body.candidates).toEqual([]);
  });

  test('the system Source of a Create is 422 source_not_eligible, unless another one is missing', async () => {
    const scope = freshScope();
    const { body } = await documents.createExperience(scope);
    const lineage = sourceRef(body.sources[0]?.source_id ?? '');
    const refused = await review.propose(scope, { source_refs: [lineage] });
    expect(refused.error).toMatchObject({ code: 'source_not_eligible', details: { source_ref: lineage } });
    expectIssues(await review.send(scope, { source_refs: [lineage, sourceRef('never')] }), [
      'source_refs[1]',
    ]);
  });

  test('a refused proposal creates no Scope', async () => {
    const scope = freshScope();
    expectIssues(await review.send(scope, { source_refs: [sourceRef('never')] }), ['source_refs[0]']);
    const reply = await client.call('get_scope', { params: { scope_id: scope } });
    expect(reply.error?.code).toBe('scope_not_found');
  });
});

test('spec 40 scenario 3: a target that is not cited, one behind, or retired', async () => {
  const scope = freshScope();
  const sources = await captureSources(client, scope, 1);
  const old = await review.create(scope, 'experience');
  const head = await review.replace(scope, old);
  expectIssues(await review.send(scope, { source_refs: sources, target: head }), ['target']);
  expectIssues(await review.send(scope, { artifact_refs: [old], target: head }), ['target']);
  const stale = await review.propose(scope, { artifact_refs: [old], target: old });
  expect(stale.error).toMatchObject({ code: 'artifact_conflict', details: { target: old, current: head } });
  const retired = await review.create(scope, 'skill');
  expectIssues(await review.send(scope, { artifact_refs: [retired], target: retired }), ['target']);
  await setLifecycle(service.databaseUrl, retired, 'retired');
  const refused = await review.proposeSkill(scope, { artifact_refs: [retired], target: retired });
  expect(refused.error).toMatchObject({
    code: 'governance_conflict',
    details: { lifecycle_state: 'retired' },
  });
  expect((await review.list(scope)).body.candidates).toEqual([]);
});

describe('spec 40 scenario 23: a Skill proposed as fields', () => {
  const fields = skill({ validation: ['contract tests pass'] });

  test('shows the package that is built from them, which is that of a direct Create', async () => {
    const scope = freshScope();
    const source_refs = await captureSources(client, scope, 1);
    const { body } = await review.proposeSkill(scope, { source_refs }, fields);
    expect(body.proposal).toEqual({
      ...fields,
      instructions: `${fields.instructions}\n\n## Validation\n\n- contract tests pass`,
      validation: [],
      package: expect.objectContaining({
        tree_digest: '99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec',
      }),
      license: null,
      compatibility: null,
      metadata: {},
      allowed_tools: null,
    });
    const created = await documents.createSkill(scope, fields);
    expect(await documents.skillOf(scope, created.body.artifact_id)).toEqual(body.proposal);
  });

  test.each<[string, object, string]>([
    ['the name My Skill', { name: 'My Skill' }, 'proposal.name'],
    ['a description of 1,025 characters', { description: 'x'.repeat(1025) }, 'proposal.description'],
    ['nothing to do', { instructions: ' ', validation: [] }, 'proposal.instructions'],
    ['a SKILL.md over its bound', { instructions: 'é'.repeat(65_500) }, 'proposal.instructions'],
    ['a field of an Experience', { lesson: 'x' }, 'proposal.lesson'],
  ])('with %s is 422 before its evidence is looked at', async (_what, change, path) => {
    const refused = await review.send(freshScope(), { source_refs: sourceRefs(1) }, '/v1/skill/propose', {
      ...skill(),
      ...change,
    });
    expectIssues(refused, [path]);
  });

  test('spec 40 §6.1: a package of the Scope that says the same is accepted, another one is 422', async () => {
    const scope = freshScope();
    const source_refs = await captureSources(client, scope, 1);
    const { proposal } = (await review.proposeSkill(scope, { source_refs }, fields)).body;
    const send = (change: object) =>
      review.send(scope, { source_refs }, '/v1/skill/propose', { ...proposal, ...change });
    expect((await send({})).status).toBe(201);
    expectIssues(await send({ description: 'Another one.' }), ['proposal.package']);
    expectIssues(await send({ validation: ['a check'] }), ['proposal.package']);
    const elsewhere = freshScope();
    await captureSources(client, elsewhere, 1);
    const foreign = await review.send(elsewhere, { source_refs }, '/v1/skill/propose', proposal);
    expectIssues(foreign, ['proposal.package']);
    expectIssues(await send({ package: null, name: 'My Skill' }), ['proposal.name']);
  });
});

describe('spec 40 scenario 43: an Idempotency-Key', () => {
  test('answers version 1 as first answered, whatever became of the Candidate', async () => {
    const scope = freshScope();
    const target = await review.create(scope, 'experience');
    const cited = { artifact_refs: [target], target, reason: 'Seen twice.' };
    const first = await review.propose(scope, cited, experience(), headersOf('one'));
    const { candidate_id } = first.body;
    expect((await review.approve(scope, candidate_id)).status).toBe(200);
    await review.replace(scope, target);
    const again = await review.propose(scope, cited, experience(), headersOf('one'));
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect((await review.list(scope)).body.candidates).toEqual([]);
  });

  test('is 409 with evidence in another order, before anything that is stored is looked at', async () => {
    const scope = freshScope();
    const source_refs = await captureSources(client, scope, 2);
    const { body } = await review.propose(scope, { source_refs }, experience(), headersOf('one'));
    for (const refs of [source_refs.toReversed(), [sourceRef('never')], [...source_refs, ...sourceRefs(1)]]) {
      const refused = await review.propose(scope, { source_refs: refs }, experience(), headersOf('one'));
      expect(refused.error).toMatchObject({
        code: 'candidate_conflict',
        details: { reason: 'idempotency_key' },
      });
    }
    const spelled = { source_refs, target: null, reason: null };
    expect((await review.propose(scope, spelled, experience(), headersOf('one'))).body).toEqual(body);
  });

  test('is of its Scope, operation and tenant', async () => {
    const [scope, elsewhere] = [freshScope(), freshScope()];
    const ids = new Set<string>();
    for (const place of [scope, elsewhere]) {
      const source_refs = await captureSources(client, place, 1);
      const { body } = await review.propose(place, { source_refs }, experience(), headersOf('one'));
      const skillReply = await review.proposeSkill(place, { source_refs }, skill(), headersOf('one'));
      ids.add(body.candidate_id).add(skillReply.body.candidate_id);
    }
    const source_refs = await captureSources(other, scope, 1);
    const foreign = await reviewCalls(other).propose(scope, { source_refs }, experience(), headersOf('one'));
    expect(ids.add(foreign.body.candidate_id).size).toBe(5);
  });

  test('used by ten concurrent requests makes one Candidate; ten without a key make ten', async () => {
    const scope = freshScope();
    const source_refs = await captureSources(client, scope, 1);
    const replies = await race(10, () =>
      review.proposeSkill(scope, { source_refs }, skill(), headersOf('ten')),
    );
    expect(countStatuses(replies)).toEqual({ 201: 10 });
    expect(new Set(replies.map(({ body }) => body.candidate_id)).size).toBe(1);
    await race(10, () => review.propose(scope, { source_refs }));
    expect((await review.list(scope)).body.candidates).toHaveLength(11);
  });
});
