import type { ExperienceContent } from '@continuity/contract/experience';
import { ensureTenant } from '@continuity/shared/tenants';
import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { replaceArtifact } from '../../src/artifacts/replace.ts';
import { searchExperiences, searchedText } from '../../src/experience/index.ts';
import { families } from '../../src/families/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../src/search/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { closeScores, referenceSearch, scoresOf } from '../support/reference-bm25.ts';

const { database, tenantId } = await openOwnDatabase('search', 4);

const vocabulary = ['deploy', 'migrate', 'rollback', 'cache', 'queue', 'index', 'lock', 'retry', 'fast_path'];
let state = 7;

/** The generator of Park and Miller: the same texts in each run. */
function next(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}

const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[next(vocabulary.length)]).join(' ');

const experience = (lesson: string): ExperienceContent => ({
  situation: words(1 + next(5)),
  action: words(1 + next(5)),
  outcome: words(1 + next(20)),
  lesson,
});

async function write(scopeId: string, content: ExperienceContent, tenant = tenantId): Promise<string> {
  const body = { family: 'experience' as const, content };
  const created = await createArtifact(
    { database, families },
    {
      tenantId: tenant,
      scopeId,
      idempotencyKey: undefined,
      body,
    },
  );
  written.set(created.body.artifact_id, { etag: created.etag, content });
  return created.body.artifact_id;
}

async function rewrite(scopeId: string, artifactId: string, content: ExperienceContent): Promise<void> {
  const address = { tenantId, scopeId, family: 'experience' as const, artifactId };
  const { etag } = await replaceArtifact(
    { database, families },
    {
      address,
      ifMatch: written.get(artifactId)?.etag ?? '',
      content,
    },
  );
  written.set(artifactId, { etag, content });
}

const written = new Map<string, { etag: string; content: ExperienceContent }>();

const search = (scopeId: string, text: string, limit = 100, cache = new CorpusCache(), tenant = tenantId) =>
  searchExperiences(database.sql, cache, {
    tenantId: tenant,
    scopeId,
    query: new AnalyzedQuery(text),
    limit,
  });

test('spec 20 S8: scores current heads exactly, also after Replaces', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    ids.push(await write('ranked', experience(`only${index}`)));
    const again = ids[next(ids.length)] ?? '';
    if (next(3) === 0) await rewrite('ranked', again, experience(`rewritten${index}`));
  }
  // What other Scopes and tenants hold counts nowhere.
  for (let index = 0; index < 10; index += 1) {
    await write('other', experience('deploy migrate rollback'));
    await write('ranked', experience('deploy'), await ensureTenant(database, 'another'));
  }
  const heads = ids.map((id) => written.get(id)?.content).filter((content) => content !== undefined);
  const reference = referenceSearch(heads.map(searchedText));
  for (const query of [
    'deploy',
    'only3',
    'cache queue',
    'fast path',
    'retry lock index',
    words(6),
    'rewritten',
  ]) {
    const hits = await search('ranked', query);
    expect(scoresOf(hits), query).toEqual(closeScores(reference(query)));
    for (const { artifact_id, content } of hits) expect(content).toEqual(written.get(artifact_id)?.content);
  }
});

test('searches all four fields of the head and no older revision', async () => {
  const id = await write('fields', {
    situation: 'alpha',
    action: 'bravo',
    outcome: 'charlie',
    lesson: 'delta',
  });
  for (const word of ['alpha', 'bravo', 'charlie', 'delta']) {
    expect(await search('fields', word)).toMatchObject([{ artifact_id: id, revision: 1 }]);
  }
  await rewrite('fields', id, { situation: 'alpha', action: 'b', outcome: 'c', lesson: 'echo' });
  expect(await search('fields', 'echo')).toMatchObject([{ artifact_id: id, revision: 2 }]);
  expect(await search('fields', 'delta')).toEqual([]);
  const [hit] = await search('fields', 'echo');
  expect(hit?.score).toBeCloseTo(Math.log(1 + 0.5 / 1.5));
});

test('spec 25 Q6: of equal scores the latest comes first, and the limit applies', async () => {
  const content = { situation: 'same', action: 'same', outcome: 'same', lesson: 'same' };
  const ids = [];
  for (let index = 0; index < 5; index += 1) ids.push(await write('equal', content));
  expect((await search('equal', 'same', 3)).map(({ artifact_id }) => artifact_id)).toEqual(
    ids.toReversed().slice(0, 3),
  );
});

test('finds nothing for a query without a term, in an unknown Scope, and of another tenant', async () => {
  await write('mine', experience('treasure'));
  expect(await search('mine', '!!!')).toEqual([]);
  expect(await search('nowhere', 'treasure')).toEqual([]);
  const other = await ensureTenant(database, 'another');
  expect(await search('mine', 'treasure', 8, new CorpusCache(), other)).toEqual([]);
});

test('finds an Experience in a language that is new to the Scope, even with cached languages', async () => {
  const cache = new CorpusCache();
  const ask = () => search('languages', 'Kunde', 8, cache);
  await write('languages', experience('Tell the customers first.'));
  expect(await ask()).toEqual([]);
  const content = { situation: 'Die Kunden wurden informiert.', action: 'Wir haben die Prüfung gemacht.' };
  const id = await write('languages', { ...content, outcome: 'Alles ist gut.', lesson: 'Das ist es.' });
  expect(await ask()).toMatchObject([{ artifact_id: id }]);
});
