import { openDatabase } from '@continuity/kernel/database';
import { searchDocuments } from '@continuity/shared/documents';
import { AnalyzedQuery, CorpusCache } from '@continuity/shared/search';
import { defaultTenant, ensureTenant } from '@continuity/shared/tenants';
import { createDatabase, runProcess } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

// A Family that is one folder and one line in each list, in real processes on a real database.

const register = ['--import', './services/api/tests/new-family/register.ts'];
const scope_id = 'project:release';
const content = { title: 'Release', steps: ['Run the contract tests.', 'Tag the commit.'] };
const evidence = { source_refs: [{ name: 'content', source_id: 'notes' }], artifact_refs: [] };

const source = await createDatabase();
const environment = { DATABASE_URL: source.url, PORT: '0', MEMORY_AUTO_FLUSH: 'off' };
const gateway = runProcess([...register, 'services/api/src/main.ts'], environment);
const workers = runProcess([...register, 'services/workers/src/main.ts'], environment);
const database = openDatabase({ url: source.url, size: 1, name: 'new-family', onIdleError: () => undefined });
let url: string;

beforeAll(async () => {
  ({ url } = JSON.parse(await gateway.waitForLine('the gateway listens')) as { url: string });
  await workers.waitForLine('consumes its queues');
  await gateway.waitForHttp(`${url}/health/ready`);
  await send('POST', '/v1/sources/content', { scope_id, source_id: 'notes', content: 'How we release.' });
});

afterAll(async () => {
  await Promise.all([gateway[Symbol.asyncDispose](), workers[Symbol.asyncDispose](), database.close()]);
  await source.drop();
});

/** Sends a request, and returns status, body and entity tag of the answer. */
async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the types of the service do not know the Family.
  const answer: any = await response.json();
  return { status: response.status, body: answer, etag: response.headers.get('etag') ?? '' };
}

const propose = (proposal: unknown, headers?: Record<string, string>) =>
  send('POST', '/v1/checklist/propose', { scope_id, proposal, ...evidence }, headers);

const decide = (how: 'approve' | 'revise', candidate_id: string, expected_version: number, more = {}) =>
  send('POST', `/v1/artifact-candidates/${how}`, { scope_id, candidate_id, expected_version, ...more });

/** Proposes and approves a Checklist. Returns its id. */
async function approved(proposal: typeof content): Promise<string> {
  const { candidate_id } = (await propose(proposal)).body;
  const { body } = await decide('approve', candidate_id, 1);
  return body.result_artifact.artifact_id;
}

/** Ids of the Checklists of a Scope that a search finds, best first. */
async function search(text: string, scopeId = scope_id): Promise<string[]> {
  const tenantId = await ensureTenant(database, defaultTenant);
  const query = { tenantId, scopeId, query: new AnalyzedQuery(text), limit: 8 };
  const hits = await searchDocuments(database.sql, new CorpusCache(), 'checklist' as 'skill', query);
  return hits.map(({ artifact_id }) => artifact_id);
}

const inventory = async (scope: string) =>
  (
    await send('POST', '/v1/stats', {
      selection: { mode: 'exact', scope_ids: [scope] },
      period: 'today',
    })
  ).body.inventory;

test('the capabilities announce the Family', async () => {
  expect((await send('GET', '/v1/capabilities')).body.artifact_families).toContain('checklist');
});

test('a proposal is checked by shape and rules, and stored once for each Idempotency-Key', async () => {
  expect((await propose({ title: 'Release' })).status).toBe(422);
  const repeated = await propose({ ...content, steps: ['Tag.', 'Tag.'] });
  expect(repeated.body.error.details.issues).toEqual([
    { path: 'proposal.steps[1]', message: 'must not repeat a step' },
  ]);
  const key = { 'idempotency-key': 'once' };
  const first = await propose(content, key);
  expect([first.status, first.body.family, first.body.proposal]).toEqual([201, 'checklist', content]);
  expect((await propose(content, key)).body).toEqual(first.body);
});

test('reviewers list, revise and approve a Candidate, and statistics count it', async () => {
  const before = await inventory(scope_id);
  const { candidate_id } = (await propose(content)).body;
  const listed = await send('POST', '/v1/artifact-candidates/list', { scope_id, family: 'checklist' });
  expect(listed.body.candidates.map((one: { candidate_id: string }) => one.candidate_id)).toContain(
    candidate_id,
  );
  const selection = { mode: 'exact', scope_ids: [scope_id] };
  const inbox = await send('POST', '/v1/artifact-candidates/inbox', { selection, family: 'checklist' });
  expect(inbox.body.items).toContainEqual(expect.objectContaining({ candidate_id, title: 'Release' }));
  const experience = { situation: 'a', action: 'b', outcome: 'c', lesson: 'd' };
  expect((await decide('revise', candidate_id, 1, { proposal: experience, ...evidence })).body).toMatchObject(
    {
      error: { details: { issues: [{ path: 'proposal' }] } },
    },
  );
  const proposal = { ...content, steps: [...content.steps, 'Announce it.'] };
  expect((await decide('revise', candidate_id, 1, { proposal, ...evidence })).body.version).toBe(2);
  const { body } = await decide('approve', candidate_id, 2);
  expect(body).toMatchObject({ status: 'approved', result_artifact: { family: 'checklist', revision: 1 } });
  const read = await send(
    'GET',
    `/v1/scopes/${encodeURIComponent(scope_id)}/artifacts/checklist/${body.result_artifact.artifact_id}`,
  );
  expect(read.body.content).toEqual(proposal);
  expect(read.body.sources.at(-1)).toEqual({ source_type: 'content', source_id: 'notes' });
  const after = await inventory(scope_id);
  const countsOf = ({ artifacts, candidates }: typeof before) =>
    [artifacts, candidates].map(
      ({ by_family }) => by_family.find((one: { family: string }) => one.family === 'checklist') ?? {},
    );
  const [artifacts, candidates] = countsOf(after);
  const [, earlier] = countsOf(before);
  expect(artifacts).toEqual({ family: 'checklist', total: 1 });
  expect(candidates.approved).toBe((earlier.approved ?? 0) + 1);
});

test('search finds the head, and not what it replaced', async () => {
  const id = await approved({ title: 'Rollback', steps: ['Restore the snapshot.'] });
  expect(await search('snapshot')).toEqual([id]);
  const path = `/v1/scopes/${encodeURIComponent(scope_id)}/artifacts/checklist/${id}`;
  const { etag } = await send('GET', path);
  const next = { title: 'Rollback', steps: ['Redeploy the previous image.'] };
  const replaced = await send('PUT', path, { content: next }, { 'if-match': etag });
  expect([replaced.status, replaced.body.revision]).toEqual([200, 2]);
  expect(await search('snapshot')).toEqual([]);
  expect(await search('image')).toEqual([id]);
  const repeats = { content: { ...next, steps: ['Tag.', 'Tag.'] } };
  expect((await send('PUT', path, repeats, { 'if-match': replaced.etag })).status).toBe(422);
});

test('a publication copies a revision into another Scope, where search finds it', async () => {
  const artifact_id = await approved({ title: 'Onboarding', steps: ['Grant the accesses.'] });
  const target = await send('POST', '/v1/scopes', {
    title: 'Team',
    summary: 'Shared.',
    idempotency_key: 'team',
  });
  const published = await send('POST', '/v1/artifact-publications', {
    source: { scope_id, artifact: { family: 'checklist', artifact_id, revision: 1 } },
    target_scope_id: target.body.scope_id,
    idempotency_key: 'share',
  });
  expect(published.status).toBe(201);
  expect(await search('accesses', target.body.scope_id)).toEqual([
    published.body.target.artifact.artifact_id,
  ]);
});

test('a generator reads a revision as evidence', async () => {
  const artifact_id = await approved({
    title: 'Always check the certificate before a renewal.',
    steps: ['The renewal failed because the certificate was revoked.'],
  });
  const generated = await send('POST', '/v1/experience/generate', {
    scope_id,
    source_refs: [],
    artifact_refs: [{ family: 'checklist', artifact_id, revision: 1 }],
  });
  expect(generated.body).toMatchObject({
    status: 'pending',
    candidate: { proposal: { lesson: expect.stringContaining('certificate') } },
  });
});
