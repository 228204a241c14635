import type { ExperienceContent } from '@continuity/contract/experience';
import { ensureTenant } from '@continuity/shared/tenants';
import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { replaceArtifact } from '../../src/artifacts/replace.ts';
import { searchExperiences, searchedText, searchFewExperiences } from '../../src/experience/index.ts';
import {
  analyzeEntry,
  analyzeQuery,
  type Corpus,
  KnownLanguages,
  QueryWords,
  requiredTerms,
  termScore,
} from '../../src/lexical/index.ts';
import { openOwnDatabase } from '../support/database.ts';

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
  const created = await createArtifact(database, {
    tenantId: tenant,
    scopeId,
    idempotencyKey: undefined,
    body,
  });
  written.set(created.body.artifact_id, { etag: created.etag, content });
  return created.body.artifact_id;
}

async function rewrite(scopeId: string, artifactId: string, content: ExperienceContent): Promise<void> {
  const address = { tenantId, scopeId, family: 'experience' as const, artifactId };
  const { etag } = await replaceArtifact(database, {
    address,
    ifMatch: written.get(artifactId)?.etag ?? '',
    content,
  });
  written.set(artifactId, { etag, content });
}

const written = new Map<string, { etag: string; content: ExperienceContent }>();

const find = (scopeId: string, query: string, limit = 100) =>
  searchExperiences(database.sql, new KnownLanguages(), { tenantId, scopeId, query, limit });

/** What a look at every text would score, best first. */
function scoreAll(texts: string[], query: string): number[] {
  const terms = analyzeQuery(query);
  const analyzed = texts.map(analyzeEntry);
  const corpus: Corpus = {
    entries: texts.length,
    totalLength: analyzed.reduce((sum, { length }) => sum + length, 0),
  };
  const holders = (key: string) => analyzed.filter((text) => text.terms.has(key)).length;
  const scores = analyzed.flatMap((text) => {
    const held = terms.flatMap(({ keys, weights }) => {
      const matches = keys.flatMap((key, index) => {
        const frequency = text.terms.get(key);
        if (frequency === undefined) return [];
        const match = { frequency, length: text.length, holders: holders(key) };
        return (weights[index] ?? 1) * termScore(match, corpus);
      });
      return matches.length === 0 ? [] : [Math.max(...matches)];
    });
    return held.length >= requiredTerms(terms.length) ? [held.reduce((sum, score) => sum + score, 0)] : [];
  });
  return scores.toSorted((left, right) => right - left);
}

const rounded = (scores: number[]) => scores.map((score) => score.toFixed(6));

test('finds and ranks current heads as a look at each of them would, also after Replaces', async () => {
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
  for (const query of [
    'deploy',
    'only3',
    'cache queue',
    'fast path',
    'retry lock index',
    words(6),
    'rewritten',
  ]) {
    const hits = await find('ranked', query);
    expect(rounded(hits.map(({ score }) => score)), query).toEqual(
      rounded(scoreAll(heads.map(searchedText), query)),
    );
    const few = { tenantId, scopeId: 'ranked', query, limit: 100 };
    expect(await searchFewExperiences(database.sql, new KnownLanguages(), few)).toEqual(hits);
    for (const { artifact_id, content } of hits) expect(content).toEqual(written.get(artifact_id)?.content);
  }
});

test('looks at all four fields of the head and at nothing that was before it', async () => {
  const id = await write('fields', {
    situation: 'alpha',
    action: 'bravo',
    outcome: 'charlie',
    lesson: 'delta',
  });
  for (const word of ['alpha', 'bravo', 'charlie', 'delta']) {
    expect(await find('fields', word)).toMatchObject([{ artifact_id: id, revision: 1 }]);
  }
  await rewrite('fields', id, { situation: 'alpha', action: 'b', outcome: 'c', lesson: 'echo' });
  expect(await find('fields', 'echo')).toMatchObject([{ artifact_id: id, revision: 2 }]);
  expect(await find('fields', 'delta')).toEqual([]);
  const [hit] = await find('fields', 'echo');
  expect(hit?.score).toBeCloseTo(
    termScore({ frequency: 1, length: 4, holders: 1 }, { entries: 1, totalLength: 4 }),
  );
});

test('of equal scores the lower id comes first, and the limit is kept', async () => {
  const content = { situation: 'same', action: 'same', outcome: 'same', lesson: 'same' };
  const ids = [];
  for (let index = 0; index < 5; index += 1) ids.push(await write('equal', content));
  expect((await find('equal', 'same', 3)).map(({ artifact_id }) => artifact_id)).toEqual(ids.slice(0, 3));
});

test('finds nothing for a query without a term, in an unknown Scope, and of another tenant', async () => {
  await write('mine', experience('treasure'));
  expect(await find('mine', '!!!')).toEqual([]);
  expect(await find('nowhere', 'treasure')).toEqual([]);
  const other = await ensureTenant(database, 'another');
  const theirs = { tenantId: other, scopeId: 'mine', query: 'treasure', limit: 8 };
  expect(await searchExperiences(database.sql, new KnownLanguages(), theirs)).toEqual([]);
});

test('finds an Experience in a language that is new to the Scope, also for who has searched it before', async () => {
  const known = new KnownLanguages();
  const ask = () =>
    searchExperiences(database.sql, known, { tenantId, scopeId: 'languages', query: 'Kunde', limit: 8 });
  await write('languages', experience('Tell the customers first.'));
  expect(await ask()).toEqual([]);
  const content = { situation: 'Die Kunden wurden informiert.', action: 'Wir haben die Prüfung gemacht.' };
  const id = await write('languages', { ...content, outcome: 'Alles ist gut.', lesson: 'Das ist es.' });
  expect(await ask()).toMatchObject([{ artifact_id: id }]);
});

test('takes the words of a query that others are asked for, too', async () => {
  const id = await write('analyzed', experience('heliotrope'));
  const query = new QueryWords('heliotrope');
  const hits = await searchExperiences(database.sql, new KnownLanguages(), {
    tenantId,
    scopeId: 'analyzed',
    query,
    limit: 8,
  });
  expect(hits).toMatchObject([{ artifact_id: id }]);
});
