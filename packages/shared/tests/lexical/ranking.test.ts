import { describe, expect, it } from 'vitest';
import { analyzeEntry, analyzeQuery, rankByScore, termScore } from '../../src/lexical/index.ts';

/** Ranks texts for a query as one Scope; texts without any of its terms are left out. */
function rank(query: string, texts: readonly string[]): string[] {
  const entries = texts.map((text) => ({ text, ...analyzeEntry(text) }));
  const corpus = {
    entries: entries.length,
    totalLength: entries.reduce((sum, { length }) => sum + length, 0),
  };
  const holders = (key: string): number => entries.filter(({ terms }) => terms.has(key)).length;
  const terms = analyzeQuery(query).map(({ keys, weights }) =>
    keys.map((key, index) => ({ key, weight: weights[index] ?? 0, holders: holders(key) })),
  );
  const scored = entries.map((entry) => {
    const best = terms.map((keys) =>
      Math.max(
        ...keys.map(
          ({ key, weight, holders }) =>
            weight *
            termScore({ frequency: entry.terms.get(key) ?? 0, length: entry.length, holders }, corpus),
        ),
      ),
    );
    return { text: entry.text, score: best.reduce((sum, score) => sum + score, 0) };
  });
  const ranked = rankByScore(
    scored,
    ({ score }) => score,
    (a, b) => (a.text < b.text ? -1 : 1),
  );
  return ranked.filter(({ score }) => score > 0).map(({ text }) => text);
}

const filler = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${word} note about subject${index}`);

describe('lexical rank (spec 20 S8)', () => {
  it('puts one entry with both rare words before 200 with the common word', () => {
    const best = 'A long account of how the flamingo met an ocelot, with much else that nobody has asked for';
    expect(rank('flamingo ocelot weekly', [...filler('weekly', 200), best])[0]).toBe(best);
  });

  it('puts more distinct terms before fewer, however often those are repeated', () => {
    const both = 'flamingo and ocelot';
    expect(
      rank('flamingo ocelot', [`flamingo ${'flamingo '.repeat(50)}`, both, 'ocelot', ...filler('x', 9)])[0],
    ).toBe(both);
  });

  it('puts the shorter of equal matches first', () => {
    expect(rank('flamingo', ['the flamingo of the zoo is pink', 'flamingo'])).toEqual([
      'flamingo',
      'the flamingo of the zoo is pink',
    ]);
  });

  it('puts a whole identifier before its parts', () => {
    const texts = [
      'the policy',
      'retry',
      'we call retryPolicy before each of the requests',
      ...filler('x', 9),
    ];
    expect(rank('retryPolicy', texts)[0]).toBe(texts[2]);
  });

  it('does not prefer an entry because its language has keys of its own', () => {
    const texts = ['Die Überprüfung ist heute noch nicht fertig', 'Überprüfung', ...filler('x', 9)];
    expect(rank('Überprüfung', texts)[0]).toBe('Überprüfung');
  });
});
