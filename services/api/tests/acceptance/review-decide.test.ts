import type { ArtifactRef } from '@continuity/contract';
import type { Evidence } from '@continuity/contract/review';
import type { SkillContent } from '@continuity/contract/skills';
import { newId } from '@continuity/kernel/text';
import { afterAll, describe, expect, test } from 'vitest';
import { documentCalls, experience, skill } from '../support/documents.ts';
import { countStatuses, expectIssues, freshScope, race, remember } from '../support/memory.ts';
import { captureSources, reviewCalls, setLifecycle, sourceRef } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { inventoryOf } from '../support/stats.ts';

const service = await startService();
const review = reviewCalls(service);
const documents = documentCalls(service);

afterAll(() => service.stop());

/** A Scope with one Source. */
async function openScope() {
  const scope = freshScope();
  return { scope, source_refs: await captureSources(service, scope, 1) };
}

const decideRaw = (path: string, body: object) =>
  service.send('POST', `/v1/artifact-candidates/${path}`, body);

const prepared = async (scope_id: string, words: string) =>
  (await service.call('prepare_context', { body: { scope_id, query: words } })).body.content;

describe('spec 40 scenario 4: a pending proposal is found by nothing', () => {
  test('an Experience is in prepared contexts from its approval on', async () => {
    const { scope, source_refs } = await openScope();
    const lesson = 'Beware of zyxomma when the tide turns.';
    const { candidate_id } = (await review.propose(scope, { source_refs }, experience({ lesson }))).body;
    const rejected = (await review.propose(scope, { source_refs }, experience({ lesson }))).body;
    await review.reject(scope, rejected.candidate_id);
    expect(await prepared(scope, 'zyxomma')).toBeNull();
    const { body } = await review.approve(scope, candidate_id);
    expect(await prepared(scope, 'zyxomma')).toContain(body.result_artifact?.artifact_id);
  });

  test('a Skill is in the library from its approval on', async () => {
    const { scope, source_refs } = await openScope();
    const found = async () => {
      const { body } = await service.call('list_managed_skills', {
        body: { scope_id: scope, query: 'zyxomma' },
      });
      return body.skills.map(({ artifact }) => artifact);
    };
    const fields = skill({ instructions: 'Beware of zyxomma.' });
    const { candidate_id } = (await review.proposeSkill(scope, { source_refs }, fields)).body;
    expect(await found()).toEqual([]);
    const { result_artifact } = (await review.approve(scope, candidate_id)).body;
    expect(await found()).toEqual([result_artifact]);
  });

  test('statistics count it as a Candidate, and as an Artifact from its approval on', async () => {
    const { scope, source_refs } = await openScope();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await review.propose(scope, { source_refs })).body.candidate_id);
    ids.push((await review.proposeSkill(scope, { source_refs })).body.candidate_id);
    expect(await inventoryOf(service, scope)).toMatchObject({
      artifacts: { total: 0 },
      candidates: { total: 4, pending: 4, approved: 0, rejected: 0 },
    });
    await review.approve(scope, ids[0] ?? '');
    await review.reject(scope, ids[1] ?? '');
    await review.revise(scope, ids[2] ?? '', 1, { source_refs }, experience());
    expect(await inventoryOf(service, scope)).toMatchObject({
      sources: { total: 2, memory_pending: 1 },
      artifacts: { total: 1, by_family: [{ family: 'experience', total: 1 }] },
      candidates: {
        total: 4,
        pending: 2,
        approved: 1,
        rejected: 1,
        by_family: [
          { family: 'experience', total: 3, pending: 1, approved: 1, rejected: 1 },
          { family: 'skill', total: 1, pending: 1, approved: 0, rejected: 0 },
        ],
      },
    });
  });
});

test('spec 40 scenario 5: a revised Candidate is approved at its version, and read back exactly', async () => {
  const scope = freshScope();
  const [first, second] = await captureSources(service, scope, 2);
  if (first === undefined || second === undefined) throw new Error('A Source is missing.');
  const proposal = experience({ lesson: 'Regenerate in the same commit.' });
  const { candidate_id } = (await review.propose(scope, { source_refs: [first], reason: 'One.' })).body;
  const evidence: Evidence = {
    source_refs: [second, first],
    artifact_refs: [await review.create(scope, 'skill')],
    target: null,
    reason: 'Two.',
  };
  const revised = await review.revise(scope, candidate_id, 1, evidence, proposal);
  expect(revised.body).toMatchObject({ version: 2, status: 'pending', proposal, ...evidence });
  const stale = await review.approve(scope, candidate_id, 1);
  expect(stale.error).toMatchObject({
    code: 'candidate_conflict',
    details: { expected_version: 1, current_version: 2 },
  });
  const approved = await review.approve(scope, candidate_id, 2);
  expect(approved.body).toMatchObject({ version: 2, status: 'approved', result_artifact: { revision: 1 } });
  const read = (await review.get(scope, candidate_id)).body;
  expect(read).toMatchObject(approved.body);
  expect(read).toMatchObject({ proposal, ...evidence });
  const { result_artifact } = approved.body;
  expect((await review.revision(scope, result_artifact as ArtifactRef)).content).toEqual(proposal);
});

describe('spec 40 scenario 6: concurrent approvals of one version', () => {
  test.each([20, 1000])('%i of them make one revision', async (count) => {
    const { scope, source_refs } = await openScope();
    const { candidate_id } = (await review.propose(scope, { source_refs })).body;
    const replies = await race(count, () => review.approve(scope, candidate_id));
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: count - 1 });
    const won = replies.find(({ status }) => status === 200)?.body;
    const losers = replies.flatMap(({ error }) => (error === undefined ? [] : [error]));
    const details = { status: 'approved', current_version: 1, result_artifact: won?.result_artifact };
    expect(losers.filter(({ code }) => code !== 'candidate_terminal')).toEqual([]);
    for (const loser of losers) expect(loser.details).toEqual(details);
    const { items } = (await documents.list(scope, 'experience')).body;
    expect(items).toMatchObject([{ artifact_id: won?.result_artifact?.artifact_id, revision: 1 }]);
    expect(await documents.sourceCount(scope)).toBe(2);
  });
});

test('spec 40 §4: the losers of 40 concurrent approvals learn of the decision, also where the target moved by it', async () => {
  const { scope, source_refs } = await openScope();
  const target = await review.create(scope, 'experience');
  const cited = { source_refs, artifact_refs: [target], target };
  const { candidate_id } = (await review.propose(scope, cited)).body;
  const replies = await race(40, () => review.approve(scope, candidate_id));
  expect(countStatuses(replies)).toEqual({ 200: 1, 409: 39 });
  const codes = new Set(replies.flatMap(({ error }) => error?.code ?? []));
  expect([...codes]).toEqual(['candidate_terminal']);
});

// `npm run bench -- review` approves 1,000.
test('100 Candidates approved by 32 callers: no gap, no deadlock, and every counter is right', async () => {
  const { scope, source_refs } = await openScope();
  const rest = await race(100, async () => (await review.propose(scope, { source_refs })).body.candidate_id);
  const statuses: number[] = [];
  await race(32, async () => {
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      statuses.push((await review.approve(scope, id)).status);
    }
  });
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(await inventoryOf(service, scope)).toMatchObject({
    sources: { total: 101 },
    artifacts: { total: 100 },
    candidates: { total: 100, pending: 0, approved: 100 },
  });
  const [gaps] = await query(
    service.databaseUrl,
    `SELECT max(position) - count(*) AS gaps FROM sources s JOIN scopes c USING (tenant_id, scope_key)
     WHERE c.scope_id = $1`,
    [scope],
  );
  expect(gaps).toEqual({ gaps: 0 });
});

describe('spec 40 scenario 7: two Candidates with one target', () => {
  test.each(['experience', 'skill'] as const)(
    '%s: one is approved, the other stays pending',
    async (family) => {
      const { scope, source_refs } = await openScope();
      const target = await review.create(scope, family);
      const cited = { source_refs, artifact_refs: [target], target };
      const propose = () =>
        family === 'skill' ? review.proposeSkill(scope, cited) : review.propose(scope, cited);
      const ids = [(await propose()).body.candidate_id, (await propose()).body.candidate_id];
      const replies = await race(2, (index) => review.approve(scope, ids[index] ?? ''));
      expect(countStatuses(replies)).toEqual({ 200: 1, 409: 1 });
      const lost = replies.findIndex(({ status }) => status === 409);
      const head = { ...target, revision: 2 };
      expect(replies[1 - lost]?.body.result_artifact).toEqual(head);
      expect(replies[lost]?.error).toMatchObject({
        code: 'artifact_conflict',
        details: { target, current: head },
      });
      const loser = ids[lost] ?? '';
      const body = { scope_id: scope, candidate_id: loser, expected_version: 1 };
      const { proposal } = (await review.get(scope, loser)).body;
      const other = { ...body, proposal, source_refs, artifact_refs: [head], target: head };
      expectIssues(await decideRaw('revise', other), ['target']);
      const without = { ...body, proposal, source_refs, artifact_refs: [] };
      expectIssues(await decideRaw('revise', without), ['target']);
      expect((await review.get(scope, loser)).body.status).toBe('pending');
      expect((await review.reject(scope, loser)).body).toMatchObject({ status: 'rejected', version: 1 });
      expect(await documents.sourceCount(scope)).toBe(3);
    },
  );
});

test('spec 40 scenario 8: approve against reject, 50 times: exactly one of them decides', async () => {
  const { scope, source_refs } = await openScope();
  const ids = await race(50, async () => (await review.propose(scope, { source_refs })).body.candidate_id);
  const decided = await Promise.all(
    ids.map(
      async (id) => [id, await Promise.all([review.approve(scope, id), review.reject(scope, id)])] as const,
    ),
  );
  let approvals = 0;
  for (const [id, replies] of decided) {
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 1 });
    expect(replies.find(({ status }) => status === 409)?.error?.code).toBe('candidate_terminal');
    const { status, result_artifact, decision_reason } = (await review.get(scope, id)).body;
    approvals += status === 'approved' ? 1 : 0;
    expect(result_artifact === null).toBe(status === 'rejected');
    expect(decision_reason === null).toBe(status === 'approved');
  }
  expect((await documents.list(scope, 'experience', { limit: '100' })).body.items).toHaveLength(approvals);
});

test('spec 40 §4: revise against approve, 20 times: one of them is a conflict, and versions have no gap', async () => {
  const { scope, source_refs } = await openScope();
  const ids = await race(20, async () => (await review.propose(scope, { source_refs })).body.candidate_id);
  for (const id of ids) {
    const replies = await Promise.all([
      review.approve(scope, id),
      review.revise(scope, id, 1, { source_refs }, experience()),
      review.revise(scope, id, 1, { source_refs }, experience()),
    ]);
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 2 });
    const { versions } = (await review.versions(scope, id)).body;
    expect(versions.map(({ candidate }) => candidate.version)).toEqual(
      replies[0]?.status === 200 ? [1] : [2, 1],
    );
  }
});

test('spec 40 scenario 9: a new Skill that cites a Memory is refused at its approval, and can be revised', async () => {
  const { scope, source_refs } = await openScope();
  const { memory } = await remember(service, scope, 'Regenerate first.');
  const lesson = await review.create(scope, 'experience');
  const cited = { source_refs, artifact_refs: [lesson, memory] };
  const { candidate_id } = (await review.proposeSkill(scope, cited)).body;
  const body = { scope_id: scope, candidate_id, expected_version: 1 };
  expectIssues(await decideRaw('approve', body), ['artifact_refs[1]']);
  expect((await review.get(scope, candidate_id)).body).toMatchObject({ status: 'pending', version: 1 });
  await review.revise(scope, candidate_id, 1, { source_refs, artifact_refs: [lesson] }, skill());
  const { body: approved } = await review.approve(scope, candidate_id, 2);
  expect(approved).toMatchObject({ status: 'approved', result_artifact: { family: 'skill', revision: 1 } });
});

test('spec 40 §4: the next revision of a Skill needs a Source', async () => {
  const { scope, source_refs } = await openScope();
  const target = await review.create(scope, 'skill');
  const next = skill({ name: 'renamed' });
  const { candidate_id } = (await review.proposeSkill(scope, { artifact_refs: [target], target }, next)).body;
  expectIssues(await decideRaw('approve', { scope_id: scope, candidate_id, expected_version: 1 }), [
    'source_refs',
  ]);
  const cited = { source_refs, artifact_refs: [target], target };
  await review.revise(scope, candidate_id, 1, cited, next);
  const { result_artifact } = (await review.approve(scope, candidate_id, 2)).body;
  expect(result_artifact).toEqual({ ...target, revision: 2 });
  expect((await documents.skillOf(scope, target.artifact_id)).name).toBe('renamed');
});

test('spec 40 §4: lineage, head and lifecycle are checked in this order, and nothing is written', async () => {
  const { scope, source_refs } = await openScope();
  const target = await review.create(scope, 'skill');
  const cited = { source_refs, artifact_refs: [target], target };
  const { candidate_id } = (await review.proposeSkill(scope, cited)).body;
  const bare = (await review.proposeSkill(scope, { ...cited, source_refs: [] })).body.candidate_id;
  await setLifecycle(service.databaseUrl, target, 'retired');
  const retired = await review.approve(scope, candidate_id);
  expect(retired.error).toMatchObject({
    code: 'governance_conflict',
    details: { lifecycle_state: 'retired' },
  });
  const revised = await review.revise(scope, candidate_id, 1, cited, skill());
  expect(revised.error?.code).toBe('governance_conflict');
  await query(service.databaseUrl, 'UPDATE artifacts SET head_revision = 2 WHERE artifact_id = $1', [
    target.artifact_id,
  ]);
  expect((await review.approve(scope, candidate_id)).error?.code).toBe('artifact_conflict');
  expect((await review.approve(scope, bare)).error?.code).toBe('invalid_request');
  expect((await review.list(scope)).body.candidates).toHaveLength(2);
  expect(await documents.sourceCount(scope)).toBe(2);
});

test('spec 40 §4: a deprecated Skill keeps its lifecycle when a further revision is approved', async () => {
  const { scope, source_refs } = await openScope();
  const target = await review.create(scope, 'skill');
  await setLifecycle(service.databaseUrl, target, 'deprecated');
  const { candidate_id } = (
    await review.proposeSkill(scope, { source_refs, artifact_refs: [target], target })
  ).body;
  expect((await review.approve(scope, candidate_id)).status).toBe(200);
  const rows = await query(
    service.databaseUrl,
    'SELECT m.lifecycle_state FROM managed_skills m JOIN artifacts a USING (artifact_key) WHERE a.artifact_id = $1',
    [target.artifact_id],
  );
  expect(rows).toEqual([{ lifecycle_state: 'deprecated' }]);
});

test('spec 40 §4: a damaged package is 500 at the approval, and the Candidate stays pending', async () => {
  const { scope, source_refs } = await openScope();
  const { candidate_id, proposal } = (await review.proposeSkill(scope, { source_refs })).body;
  await query(
    service.databaseUrl,
    `UPDATE skill_packages SET archive = set_byte(archive, 100, get_byte(archive, 100) # 1)
     WHERE encode(tree_digest, 'hex') = $1`,
    [(proposal as SkillContent).package?.tree_digest],
  );
  const body = { scope_id: scope, candidate_id, expected_version: 1 };
  expect((await decideRaw('approve', body)).status).toBe(500);
  const { candidates } = (await review.list(scope)).body;
  expect(candidates).toMatchObject([{ candidate_id, status: 'pending' }]);
  expect((await review.get(scope, candidate_id)).body).toMatchObject({ candidate_id, package_summary: null });
  expect(await documents.sourceCount(scope)).toBe(1);
});

test('spec 40 scenario 42: a revision shows its system Source first, then the evidence of its Candidate', async () => {
  const { scope, source_refs } = await openScope();
  const proposal = experience({ lesson: 'Regenerate in the commit.' });
  const first = await review.propose(scope, { source_refs }, proposal);
  const target = (await review.approve(scope, first.body.candidate_id)).body.result_artifact as ArtifactRef;
  const artifact_refs = [await review.create(scope, 'skill'), target];
  const second = await review.propose(scope, { source_refs, artifact_refs, target });
  const next = (await review.approve(scope, second.body.candidate_id)).body.result_artifact as ArtifactRef;
  const [one, two] = [await review.revision(scope, target), await review.revision(scope, next)];
  const cited = { source_type: 'content', source_id: source_refs[0]?.source_id };
  const read = async (artifact: ArtifactRef) =>
    (await service.call('get_experience', { body: { scope_id: scope, artifact } })).body;
  expect(await read(target)).toEqual({ artifact: target, content: proposal, source_refs, artifact_refs: [] });
  expect(await read(next)).toMatchObject({ artifact: next, source_refs, artifact_refs });
  const direct = await review.create(scope, 'experience');
  expect(await read(direct)).toMatchObject({ source_refs: [], artifact_refs: [] });
  expect(one).toMatchObject({ revision: 1, sources: [{ source_type: 'content' }, cited], artifacts: [] });
  expect(two).toMatchObject({
    revision: 2,
    sources: [{ source_type: 'content' }, cited],
    artifacts: artifact_refs,
  });
  const system = await service.call('get_source', {
    params: { scope_id: scope, source_type: 'content', source_id: one.sources[0]?.source_id ?? '' },
  });
  expect(system.body).toMatchObject({ content: proposal, position: 2 });
  const lineage = await review.propose(scope, { source_refs: [sourceRef(one.sources[0]?.source_id ?? '')] });
  expect(lineage.error?.code).toBe('source_not_eligible');
  expect(await documents.sourceCount(scope)).toBe(5);
});

test('spec 40 scenario 44: revise answers in the order of the body, the Candidate, its version, its evidence', async () => {
  const { scope, source_refs } = await openScope();
  const { candidate_id } = (await review.propose(scope, { source_refs })).body;
  const send = (change: object) =>
    decideRaw('revise', {
      scope_id: scope,
      candidate_id,
      expected_version: 1,
      proposal: experience(),
      source_refs,
      artifact_refs: [],
      ...change,
    });
  const codeOf = async (change: object) =>
    ((await send(change)).json as { error: { code: string } }).error.code;
  const unknown = newId();
  expectIssues(await send({ candidate_id: unknown, source_refs: [] }), ['source_refs']);
  expectIssues(await send({ candidate_id: unknown, proposal: skill({ name: 'My Skill' }) }), [
    'proposal.name',
  ]);
  expectIssues(await send({ candidate_id: unknown, proposal: {} }), ['proposal']);
  for (const candidate of [unknown, 'no-uuid', 'candidate'])
    expect(await codeOf({ candidate_id: candidate })).toBe('candidate_not_found');
  expect(await codeOf({ scope_id: freshScope() })).toBe('candidate_not_found');
  expect(await codeOf({ expected_version: 2, source_refs: [sourceRef('never')] })).toBe('candidate_conflict');
  expectIssues(await send({ proposal: skill(), source_refs: [sourceRef('never')] }), ['proposal']);
  expectIssues(await send({ source_refs: [sourceRef('never')] }), ['source_refs[0]']);
  const equal = await review.revise(scope, candidate_id, 1, { source_refs }, experience());
  expect(equal.body).toMatchObject({ version: 2, status: 'pending' });
  await review.reject(scope, candidate_id, 2, 'No.');
  const late = await send({ expected_version: 1, source_refs: [sourceRef('never')] });
  expect(late.json).toMatchObject({
    error: {
      code: 'candidate_terminal',
      details: { status: 'rejected', current_version: 2, result_artifact: null },
    },
  });
});

test.each(['', ' No.', 'No. ', ' '])('spec 40 §4: the reason %j of a rejection is 422', async (reason) => {
  const { scope, source_refs } = await openScope();
  const { candidate_id } = (await review.propose(scope, { source_refs })).body;
  const body = { scope_id: scope, candidate_id, expected_version: 1, reason };
  expectIssues(await decideRaw('reject', body), ['reason']);
});
