import { estimateTokens } from '@continuity/kernel/text';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { learn, prepare, recallOf } from '../support/context.ts';
import { collectLines } from '../support/log-lines.ts';
import { freshScope, race, remember } from '../support/memory.ts';
import { holdLock, scopeCalls } from '../support/scopes.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const lines = collectLines();
let service: TestService;

beforeAll(async () => {
  const environment = { MEMORY_AUTO_FLUSH: 'off', LOG_LEVEL: 'warn' };
  service = await startService({ workers: true, environment, logs: lines });
});

afterAll(() => service.stop());

const recall = (scope_id: string) => recallOf(service.databaseUrl, scope_id);
const estimator = 'character:weighted/1';

/** A statement of so many ASCII characters, which a flush makes one entry of. */
const statement = (subject: string, length: number) => {
  const beginning = `We decided that the ${subject} is kept`;
  return `${beginning}${' as it is'.repeat(length)}`
    .slice(0, length - 1)
    .trimEnd()
    .padEnd(length - 1, 'x')
    .concat('.');
};

async function flushed(scope_id: string, source_id: string, content: string): Promise<void> {
  await capture(service, scope_id, source_id, content);
  const { body } = await service.call('flush_memory', { body: { scope_id } });
  expect(body).toMatchObject({ status: 'processed' });
}

const tokensOf = ({ content }: { content: string | null }) => estimateTokens(content ?? '');

test('spec 20 scenario 33: preparations are counted, with the tokens of their evidence', async () => {
  const scope_id = freshScope();
  await flushed(scope_id, 'one', statement('gazebo', 400));
  const first = await prepare(service, scope_id, 'gazebo');
  expect(first.items).toHaveLength(1);
  const once = {
    estimator,
    preparations: 1,
    ready: 1,
    comparable: 1,
    baseline: 100,
    recalled: tokensOf(first),
  };
  expect(await recall(scope_id)).toEqual([once]);
  expect(await prepare(service, scope_id, 'pavilion')).toMatchObject({ status: 'empty' });
  expect(await recall(scope_id)).toEqual([{ ...once, preparations: 2 }]);
  await remember(service, scope_id, 'A pavilion without evidence.');
  expect(await prepare(service, scope_id, 'pavilion')).toMatchObject({ status: 'ready' });
  expect(await prepare(service, scope_id, 'pavilion gazebo')).toMatchObject({ items: [{}, {}] });
  expect(await recall(scope_id)).toEqual([{ ...once, preparations: 4, ready: 3 }]);
});

test('spec 20 P12: a Source of several items is added once, and others beside it', async () => {
  const scope_id = freshScope();
  await flushed(scope_id, 'two', `${statement('gazebo roof', 80)} ${statement('gazebo floor', 119)}`);
  await flushed(scope_id, 'other', statement('gazebo door', 40));
  await capture(service, scope_id, 'unused', 'The gazebo.');
  const { items, content } = await prepare(service, scope_id, 'gazebo');
  expect(items).toHaveLength(3);
  expect(await recall(scope_id)).toMatchObject([{ baseline: 50 + 10, recalled: tokensOf({ content }) }]);
});

test('spec 20 P13: a string Source counts by its text, other JSON by its canonical form', async () => {
  const scope_id = freshScope();
  const text = '我们决定保留亭子 "quoted"\n';
  const contents = [text, { b: 'We decided to keep the gazebo.', a: [1, null, 'é'] }];
  for (const content of contents) {
    await service.call('create_source', { params: { scope_id }, body: { content } });
  }
  const rows = await query<{ tokens: number }>(
    service.databaseUrl,
    'SELECT tokens FROM sources JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1 ORDER BY position',
    [scope_id],
  );
  const canonical = '{"a":[1,null,"é"],"b":"We decided to keep the gazebo."}';
  expect(rows).toEqual([{ tokens: estimateTokens(text) }, { tokens: estimateTokens(canonical) }]);
});

test('spec 20 P12: the Source of an Artifact write is not evidence', async () => {
  const scope_id = freshScope();
  await learn(service, scope_id, 'The gazebo stood firm.');
  expect(await prepare(service, scope_id, 'gazebo')).toMatchObject({ status: 'ready' });
  expect(await recall(scope_id)).toMatchObject([{ ready: 1, comparable: 0, baseline: 0, recalled: 0 }]);
});

test('spec 20 P12: evidence is followed through the revisions that an item was made from', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'direct', 'x'.repeat(40));
  await capture(service, scope_id, 'behind', 'y'.repeat(80));
  const source = { name: 'content', source_id: 'behind' };
  await service.call('create_artifact', {
    params: { scope_id },
    body: {
      family: 'handoff',
      content: {
        schema: 'service.handoff.v1',
        objective: 'Carry on.',
        state: [{ text: 'It stands.', citations: [{ kind: 'source', source_ref: source }] }],
        disposition: 'complete',
      },
    },
  });
  const artifact_id = await learn(service, scope_id, 'The gazebo stood firm.');
  const { entry } = await remember(service, scope_id, 'The gazebo is old.');
  const experience = { family: 'experience', artifact_id, revision: 1 };
  const handoff = { family: 'handoff', artifact_id: 'handoff', revision: 1 };
  // As an approved Candidate and a later extraction leave them.
  await query(
    service.databaseUrl,
    `UPDATE artifact_revisions SET sources = sources || $1, artifacts = $2
     WHERE artifact_key = (SELECT artifact_key FROM artifacts WHERE artifact_id = $3)`,
    [
      JSON.stringify([{ source_type: 'content', source_id: 'direct' }]),
      JSON.stringify([handoff]),
      artifact_id,
    ],
  );
  await query(service.databaseUrl, 'UPDATE memory_versions SET artifact_refs = $1 WHERE entry_id = $2', [
    JSON.stringify([experience, handoff]),
    entry.citation.entry_id,
  ]);
  const { content, items } = await prepare(service, scope_id, 'gazebo');
  expect(items).toHaveLength(2);
  expect(await recall(scope_id)).toMatchObject([
    { ready: 1, comparable: 1, baseline: 10 + 20, recalled: tokensOf({ content }) },
  ]);
});

test('spec 20 P12: items of other Scopes count in the current one', async () => {
  const other = freshScope();
  await flushed(other, 'one', statement('gazebo', 200));
  const scope_id = await scopeCalls(service).made({ context_references: [other] });
  const { content } = await prepare(service, scope_id, 'gazebo');
  expect(await recall(scope_id)).toMatchObject([
    { comparable: 1, baseline: 50, recalled: tokensOf({ content }) },
  ]);
  expect(await recall(other)).toEqual([]);
});

test('spec 20 P12: concurrent preparations are all counted', async () => {
  const scope_id = freshScope();
  await flushed(scope_id, 'one', statement('gazebo', 400));
  const prepared = await race(30, () => prepare(service, scope_id, 'gazebo'));
  const recalled = prepared.map(tokensOf).reduce((sum, tokens) => sum + tokens, 0);
  expect(await recall(scope_id)).toEqual([
    { estimator, preparations: 30, ready: 30, comparable: 30, baseline: 3_000, recalled },
  ]);
});

test('spec 20 P12: a preparation in an unknown Scope counts nothing', async () => {
  const scope_id = freshScope();
  await prepare(service, scope_id, 'gazebo');
  await remember(service, scope_id, 'The gazebo.');
  expect(await recall(scope_id)).toEqual([]);
});

test('spec 20 P12: a counter that cannot be written is logged, and the answer is the same', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'The gazebo.');
  const before = await prepare(service, scope_id, 'gazebo');
  const release = await holdLock(service.databaseUrl, 'SELECT FROM recall_days FOR UPDATE');
  expect(await prepare(service, scope_id, 'gazebo')).toEqual(before);
  expect(lines.text()).toContain('a preparation of context was not counted');
  expect(lines.text()).not.toContain('gazebo');
  await release();
  expect(await recall(scope_id)).toMatchObject([{ preparations: 1 }]);
  // The limit of that statement is not left on its connection.
  expect(await prepare(service, scope_id, 'gazebo')).toEqual(before);
});

test('spec 20 T7: with estimation off preparations are counted by themselves', async () => {
  const scope_id = freshScope();
  await flushed(scope_id, 'one', statement('gazebo', 400));
  const settings = { ...service.settings, RECALL_ESTIMATION: false };
  const gateway = await startSecondGateway({ ...service, settings });
  await prepare(gateway, scope_id, 'gazebo');
  await gateway.stop();
  await prepare(service, scope_id, 'gazebo');
  expect(await recall(scope_id)).toMatchObject([
    { estimator: '', preparations: 1, ready: 1, comparable: 1, baseline: 0, recalled: 0 },
    { estimator, preparations: 1, baseline: 100 },
  ]);
});
