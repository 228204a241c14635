import { beforeAll, expect, test } from 'vitest';
import { toUnitVector } from '../../../src/inference/unit-vector.ts';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import {
  parseQuery,
  type QueryEmbedder,
  searchScope,
  VectorSupportCache,
} from '../../../src/memory/search/index.ts';
import { CorpusCache, quantize } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { fillWithVectors, testDimension, testProfile, vectorOf } from '../../support/embed.ts';
import { rememberFacts, withoutNeighbors } from '../../support/memory.ts';
import { referenceSearch } from '../../support/reference-bm25.ts';

const { database, tenantId } = await openOwnDatabase('hybrid', 2);
const scopeId = 'hybrid';
const words = Array.from(
  { length: 60 },
  (_, index) => `word${'abcdefghij'[index % 10]}${'klmnop'[index % 6]}`,
);
let state = 7;

/** The generator of Park and Miller: the same texts in each run. */
function next(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}

const sentence = (count: number) => Array.from({ length: count }, () => words[next(words.length)]).join(' ');
const texts = Array.from({ length: 400 }, (_, index) => `${sentence(6)} number${index}`);
const withoutVector = `${words[0]} ${words[1]} not embedded`;
const reference = referenceSearch([...texts, withoutVector]);

const embedQuery = (text: string) =>
  Promise.resolve({
    profile: testProfile,
    windows: [vectorOf(text)],
    usage: { requests: 1, input_tokens: null, output_tokens: null } as const,
  });
const embedder: QueryEmbedder = { embedQuery, tryEmbedQuery: embedQuery };
const deps = {
  database,
  embedder: () => embedder,
  vectorSupport: new VectorSupportCache(),
  corpusCache: new CorpusCache(),
  reranker: null,
};

beforeAll(async () => {
  const profileKey = await activateProfile(database.sql, testProfile);
  await fillWithVectors(database, { tenantId, scopeId, profileKey }, texts);
  await rememberFacts(database, { tenantId, scopeId }, [withoutVector]);
  await withoutNeighbors(database);
});

const search = async (query: string, limit = 10) =>
  searchScope(deps, { tenantId, scopeId, limit }, await parseQuery(embedder, { query, mode: 'hybrid' }));

const { hasPgvector } = await new VectorSupportCache().read(database.sql, testProfile);
const vectors = new Map(texts.map((text) => [text, storedVectorOf(text)]));

/** The direction of the vector that a search reads: without pgvector, components have 8 bits (spec 26 S12). */
function storedVectorOf(text: string): Float32Array {
  const vector = vectorOf(text);
  return hasPgvector ? vector : (toUnitVector([...quantize(vector)], testDimension) ?? vector);
}

/** The cosine similarity of each text; 0 without a vector. */
function similaritiesTo(query: string): (text: string) => number {
  const queryVector = vectorOf(query);
  return (text) =>
    vectors.get(text)?.reduce((sum, value, place) => sum + value * (queryVector[place] ?? 0), 0) ?? 0;
}

/** The fused scores of spec 20 S5 and S10, by looking at every entry. */
function fuseByReference(query: string, limit: number): Map<string, number> {
  const size = Math.max(4 * limit, 32);
  const similarity = similaritiesTo(query);
  const lexicalScores = new Map(reference(query, true).map((scored) => [scored.text, scored]));
  const admitted = reference(query).slice(0, size);
  const near = texts
    .map((text) => ({ text, score: similarity(text) }))
    .filter(({ score }) => score >= 0.3)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, size);
  const joined = [...new Set([...admitted, ...near].map(({ text }) => text))];
  const lexical = joined.map((text) => lexicalScores.get(text)?.score ?? 0);
  const confidence = joined.map((text) => Math.min(1, 2 * (lexicalScores.get(text)?.coverage ?? 0)));
  const vector = joined.map((text) => Math.max(0, similarity(text)));
  const [bestLexical, bestVector] = [Math.max(...lexical), Math.max(...vector)];
  const fused = joined.map(
    (_, place) =>
      0.5 * (confidence[place] ?? 0) * ((lexical[place] ?? 0) / bestLexical) +
      0.5 * ((vector[place] ?? 0) / bestVector),
  );
  const largest = Math.max(...fused);
  const scores = fused.map((score) => score / largest);
  return new Map(joined.map((text, place) => [text, levelOf(place, lexical, scores)]));
}

/** The score of a near tie (spec 26 S16): among those with equal words, each tie begins at the best score that is in none. */
function levelOf(place: number, lexical: readonly number[], scores: readonly number[]): number {
  const [words = 0, own = 0] = [lexical[place], scores[place]];
  if (words === 0) return own;
  const equal = scores.filter((_, at) => Math.abs((lexical[at] ?? 0) - words) < 1e-9);
  let level = Math.max(...equal);
  while (level - own > 0.05) {
    const bound = level - 0.05;
    level = Math.max(...equal.filter((score) => score < bound));
  }
  return level;
}

test('spec 20 S5, S10: every joined candidate has its exact score in both channels', async () => {
  for (let run = 0; run < 20; run += 1) {
    const query = sentence(2 + next(4));
    const { mode, hits } = await search(query);
    expect(mode).toBe('hybrid');
    const expected = fuseByReference(query, 10);
    const best = [...expected.values()].toSorted((left, right) => right - left).slice(0, 10);
    for (const [place, { text, score }] of hits.entries()) {
      expect(score, `${query}: ${text}`).toBeCloseTo(expected.get(text) ?? 0, 5);
      expect(score).toBeCloseTo(best[place] ?? 0, 5);
    }
  }
});

test('spec 20 S10: an entry with one rare word of a question comes after one that means the same', async () => {
  const oneWord = 'The gardener waters the bonsai on Mondays';
  const sameMeaning = 'Plants receive liquid at sunrise';
  const manyWords = 'The balcony has a bonsai and a sprinkler';
  const profileKey = await activateProfile(database.sql, testProfile);
  const scope = { tenantId, scopeId: 'one word' };
  await fillWithVectors(database, { ...scope, profileKey }, [
    oneWord,
    sameMeaning,
    manyWords,
    ...texts.slice(0, 60),
  ]);
  const searchNear = async (query: string) => {
    // Near to the entry of the same meaning, and a little to the others.
    const [near, far] = [vectorOf(sameMeaning), vectorOf(`${oneWord} ${manyWords}`)];
    const window = toUnitVector(
      [...near].map((value, place) => value + 0.4 * (far[place] ?? 0)),
      testDimension,
    );
    if (window === null) throw new Error('A query has no vector.');
    const embedded = { ...(await embedQuery(query)), windows: [window] };
    const parsed = await parseQuery(
      { embedQuery: () => Promise.resolve(embedded), tryEmbedQuery: () => Promise.resolve(embedded) },
      { query, mode: 'hybrid' },
    );
    return (await searchScope(deps, { ...scope, limit: 10 }, parsed)).hits.map(({ text }) => text);
  };
  const weak = await searchNear('schedule moisturizing bonsai automatically');
  expect(weak.indexOf(sameMeaning)).toBeLessThan(weak.indexOf(oneWord));
  expect(weak).toContain(oneWord);
  // With most of its words, an entry comes first again.
  const [first] = await searchNear('bonsai sprinkler balcony');
  expect(first).toBe(manyWords);
});

test('spec 20 S10: matched_by names the channels that admitted a hit, whatever its scores are', async () => {
  const query = sentence(4);
  const admitted = new Set(
    reference(query)
      .slice(0, 200)
      .map(({ text }) => text),
  );
  const { hits } = await search(query, 50);
  const similarity = similaritiesTo(query);
  for (const { text, matched_by } of hits) {
    expect(matched_by.includes('fts'), text).toBe(admitted.has(text));
    expect(matched_by.includes('vector'), text).toBe(similarity(text) >= 0.3);
  }
  expect(new Set(hits.map(({ matched_by }) => matched_by.join()))).toContain('fts,vector');
});

test('spec 20 S4, S10: an entry without a vector is found by its words, with a similarity of 0', async () => {
  const { hits } = await search(`${words[0]} ${words[1]} embedded`, 50);
  const hit = hits.find(({ text }) => text === withoutVector);
  expect(hit).toMatchObject({ matched_by: ['fts'] });
  expect(hit?.channels.vector).toMatchObject({ score: 0, share: 0 });
});
