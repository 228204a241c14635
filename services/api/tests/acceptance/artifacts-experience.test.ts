import { asDigest, digestHex } from '@continuity/kernel/json';
import { scopePath } from '@continuity/shared/handlers';
import { afterAll, describe, expect, test } from 'vitest';
import { etagOf } from '../support/artifacts.ts';
import { documentCalls, experience } from '../support/documents.ts';
import { cite, handoffCalls, handoffContent, prepared, stated } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startSecondGateway, startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = documentCalls(service);

afterAll(() => service.stop());

const ref = (family: string, artifact_id: string, revision = 1) => ({ family, artifact_id, revision });
const citeArtifact = (family: string, artifact_id: string, revision = 1) =>
  ({ kind: 'artifact', artifact_ref: ref(family, artifact_id, revision) }) as const;

/** Heads of a Scope that have a projection, and those that the counters say. */
const projected = async (scope: string) => {
  const [row] = await query<{ found: number; counted: number }>(
    service.databaseUrl,
    `SELECT (SELECT count(*)::int FROM document_projections p WHERE p.scope_key = c.scope_key) AS found,
            (SELECT coalesce(sum(documents), 0)::int FROM document_totals t WHERE t.scope_key = c.scope_key) AS counted
     FROM scopes c WHERE c.scope_id = $1`,
    [scope],
  );
  return row;
};

test('spec 10 §6.3: a Create stores the content as sent, with its Source and search projection', async () => {
  const scope = freshScope();
  const content = experience({ lesson: ' Keep  the spaces.\n' });
  const created = await calls.createExperience(scope, content);
  expect(created.status).toBe(201);
  const { artifact_id, sources } = created.body;
  expect(created.body).toEqual({
    scope_id: scope,
    family: 'experience',
    artifact_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    revision: 1,
    sources: [{ source_type: 'content', source_id: expect.any(String) }],
    artifacts: [],
  });
  expect(created.headers.get('location')).toBe(scopePath(scope, 'artifacts', 'experience', artifact_id));
  const head = await calls.head(scope, 'experience', artifact_id);
  expect(head.body).toEqual({ ...created.body, content, content_digest: asDigest(digestHex(content)) });
  expect(etagOf(head)).toBe(etagOf(created));
  const source = await service.call('get_source', {
    params: { scope_id: scope, source_type: 'content', source_id: sources[0]?.source_id ?? '' },
  });
  expect(source.body).toMatchObject({ content, position: 1 });
  expect(await projected(scope)).toEqual({ found: 1, counted: 1 });
});

test('spec 10 scenario 12: a Replace writes the next revision, also for equal content, and revision 1 reads as before', async () => {
  const scope = freshScope();
  const { body, headers } = await calls.createExperience(scope);
  const first = await service.send('GET', headers.get('location') ?? '');
  const second = await calls.replaceExperience(scope, body.artifact_id, etagOf({ headers }), experience());
  expect(second.body).toMatchObject({ revision: 2, content: experience(), artifacts: [] });
  expect(second.body.sources).toHaveLength(1);
  expect(second.body.sources).not.toEqual(body.sources);
  const third = await calls.replaceExperience(
    scope,
    body.artifact_id,
    etagOf(second),
    experience({ lesson: 'Another.' }),
  );
  expect(third.body.revision).toBe(3);
  const old = await service.send('GET', `${headers.get('location')}/revisions/1`);
  expect(old.text).toBe(first.text);
  expect(await projected(scope)).toEqual({ found: 1, counted: 1 });
  expect(await calls.sourceCount(scope)).toBe(3);
});

test('spec 10 scenario 13: one of 20 concurrent Replaces succeeds and writes one Source', async () => {
  const scope = freshScope();
  const created = await calls.createExperience(scope);
  const replies = await race(20, (index) =>
    calls.replaceExperience(
      scope,
      created.body.artifact_id,
      etagOf(created),
      experience({ lesson: `Number ${index}.` }),
    ),
  );
  expect(countStatuses(replies)).toEqual({ 200: 1, 412: 19 });
  const head = await calls.head(scope, 'experience', created.body.artifact_id);
  expect(head.body.revision).toBe(2);
  for (const { error } of replies) {
    if (error !== undefined) expect(error.details['current_etag']).toBe(etagOf(head));
  }
  expect(await calls.sourceCount(scope)).toBe(2);
  expect(await projected(scope)).toEqual({ found: 1, counted: 1 });
});

test('spec 10 scenario 14: preconditions, and a 304 for the head', async () => {
  const scope = freshScope();
  const created = await calls.createExperience(scope);
  const other = await calls.createExperience(scope);
  const path = created.headers.get('location') ?? '';
  const put = (tag?: string) =>
    service.send('PUT', path, { content: experience() }, tag === undefined ? {} : { 'If-Match': tag });
  expect((await put()).status).toBe(428);
  for (const tag of ['*', `W/${etagOf(created)}`, '"1-stale"', etagOf(other)]) {
    expect((await put(tag)).status).toBe(412);
  }
  const known = await service.send('GET', path, undefined, { 'If-None-Match': etagOf(created) });
  expect([known.status, known.text]).toEqual([304, '']);
  const unknown = { scope_id: scope, family: 'experience' as const, artifact_id: 'unknown' };
  expect((await service.call('get_artifact', { params: unknown })).error?.code).toBe('artifact_not_found');
});

test('spec 10 scenario 19: one Idempotency-Key creates one Experience, also in 20 concurrent requests', async () => {
  const scope = freshScope();
  const key = { 'Idempotency-Key': 'one' };
  const replies = await race(20, () => calls.createExperience(scope, experience(), key));
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(new Set(replies.map(etagOf)).size).toBe(1);
  const other = await calls.createExperience(scope, experience({ lesson: 'Another.' }), key);
  expect([other.status, other.error?.details]).toEqual([409, { reason: 'idempotency_key' }]);
  expect(await calls.sourceCount(scope)).toBe(1);
});

test('spec 10 scenario 20: 120 heads are listed once each while 30 more are created, on any gateway', async () => {
  const scope = freshScope();
  const made = await race(120, (index) =>
    calls.createExperience(scope, experience({ lesson: `Number ${index}.` })),
  );
  await using second = await secondGateway();
  const gateways = [calls, documentCalls(second)];
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; cursor !== undefined || page === 0; page += 1) {
    const query = { limit: '50', ...(cursor !== undefined && { cursor }) };
    const { body } = await (gateways[page % 2] ?? calls).list(scope, 'experience', query);
    seen.push(...body.items.map(({ artifact_id }) => artifact_id));
    expect(body.items.every((item) => !('content' in item))).toBe(true);
    cursor = body.next_cursor ?? undefined;
    if (page === 0) await race(30, () => calls.createExperience(scope));
    if (cursor === undefined) continue;
    expect((await calls.list(scope, 'skill', { cursor })).error?.code).toBe('invalid_cursor');
    expect((await calls.list(freshScope(), 'experience', { cursor })).error?.code).toBe('invalid_cursor');
  }
  expect(new Set(seen).size).toBe(seen.length);
  const old = made.map(({ body }) => body.artifact_id);
  expect(seen.filter((id) => old.includes(id)).toSorted()).toEqual(old.toSorted());
});

async function secondGateway() {
  const gateway = await startSecondGateway(service);
  return { ...gateway, [Symbol.asyncDispose]: () => gateway.stop() };
}

describe('spec 10 scenario 30: ids and revisions at their bounds', () => {
  test.each([
    ['9007199254740991', 404],
    ['9007199254740992', 422],
    ['01', 422],
    ['0', 422],
  ])('revision %s is %i', async (revision, status) => {
    const scope = freshScope();
    const { body } = await calls.createExperience(scope);
    expect((await calls.revision(scope, 'experience', body.artifact_id, revision)).status).toBe(status);
  });

  test.each([
    [128, 404],
    [129, 422],
  ])('an artifact_id of %i is %i', async (length, status) => {
    expect((await calls.head(freshScope(), 'experience', 'x'.repeat(length))).status).toBe(status);
  });
});

test('spec 10 §6.2: bounds of the four fields, and nothing else', async () => {
  const scope = freshScope();
  const post = (content: unknown) =>
    service.send('POST', scopePath(scope, 'artifacts'), { family: 'experience', content });
  const longest = '😀'.repeat(8000);
  expect((await post(experience({ situation: longest }))).status).toBe(201);
  expectIssues(await post(experience({ situation: `${longest}x` })), ['content.situation']);
  expectIssues(await post(experience({ lesson: ' \u3000' })), ['content.lesson']);
  expectIssues(await post({ ...experience(), lesson: undefined }), ['content.lesson']);
  expectIssues(await post({ ...experience(), moral: 'x' }), ['content.moral']);
  expectIssues(await post({ entries: [] }), [
    'content.situation',
    'content.action',
    'content.outcome',
    'content.lesson',
    'content.entries',
  ]);
  expectIssues(await post(experience({ outcome: 'a\0b' })), ['content.outcome']);
  expect(await calls.sourceCount(scope)).toBe(1);
});

describe('Experience and Skill revisions as evidence', () => {
  test('spec 10 scenario 17: a Handoff cites them, and they are its lineage', async () => {
    const scope = freshScope();
    const lesson = await calls.createExperience(scope);
    const tool = await calls.createSkill(scope);
    const citations = [
      citeArtifact('skill', tool.body.artifact_id),
      citeArtifact('experience', lesson.body.artifact_id),
    ];
    const content = handoffContent({ state: [stated('Known.', ...citations)] });
    const created = await service.call('create_artifact', {
      params: { scope_id: scope },
      body: { family: 'handoff', content },
    });
    expect(created.body.artifacts).toEqual([
      ref('skill', tool.body.artifact_id),
      ref('experience', lesson.body.artifact_id),
    ]);
    const { body } = await handoffCalls(service).latest(scope);
    expect(body.evidence_checks).toMatchObject([{ status: 'available' }]);
  });

  test('an older revision is evidence; a future one and one of another Family are missing', async () => {
    const scope = freshScope();
    const { body, headers } = await calls.createExperience(scope);
    await calls.replaceExperience(scope, body.artifact_id, etagOf({ headers }), experience());
    const commit = (...citations: Parameters<typeof stated>[1][]) =>
      handoffCalls(service).commit(scope, prepared(scope, 0, { state: [stated('Known.', ...citations)] }));
    const missing = [
      citeArtifact('experience', body.artifact_id, 3),
      citeArtifact('skill', body.artifact_id),
    ];
    const refused = await commit(citeArtifact('experience', body.artifact_id, 1), ...missing);
    expect([refused.error?.code, refused.error?.details]).toEqual([
      'handoff_evidence_not_found',
      { citations: missing },
    ]);
    const both = [1, 2].map((revision) => citeArtifact('experience', body.artifact_id, revision));
    expect((await commit(cite(body.sources[0]?.source_id ?? ''))).error?.code).toBe('source_not_eligible');
    expect((await commit(...both)).status).toBe(200);
  });

  test('a Work record cites them', async () => {
    const scope = freshScope();
    const { body } = await calls.createSkill(scope);
    const record = (artifact_id: string) =>
      handoffCalls(service).outcome({
        scope_id: scope,
        source_id: freshScope('outcome'),
        outcome: {
          objective: 'Build.',
          status: 'succeeded',
          summary: 'Built.',
          observations: [
            { text: 'Used.', basis: 'verified', evidence: [citeArtifact('skill', artifact_id)] },
          ],
          produced_artifacts: [ref('skill', artifact_id)],
        },
      });
    expect((await record('unknown')).error?.code).toBe('handoff_evidence_not_found');
    expect((await record(body.artifact_id)).error).toBeUndefined();
  });
});
