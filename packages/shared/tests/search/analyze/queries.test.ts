import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '../../../src/search/index.ts';
import { finds } from './matching.ts';

const plainKeys = (query: string): (string | undefined)[] =>
  analyzeQuery(query).terms.map(({ keys }) => keys[0]);

describe('queries (spec 20 S2, S6, spec 25 Q2)', () => {
  it('is words and no query language', () => {
    expect(plainKeys("'; DROP TABLE--")).toEqual(['drop', 'tabl']);
    expect(plainKeys('"a" & !b:*')).toEqual(['b']);
    expect(plainKeys('.*[x]|%_\\')).toEqual(['x']);
    expect(analyzeQuery('x'.repeat(8192)).terms).toHaveLength(1);
  });

  it('has no term without a word', () => {
    for (const query of ['!!!', '', ' \n', '"" && ||', '___', '\ud83e', '\u0301']) {
      expect(analyzeQuery(query)).toEqual({ terms: [], segments: [] });
    }
  });

  it('leaves stop words out', () => {
    expect(plainKeys('which is the Postgres version that we use')).toEqual(['postgr', 'version', 'use']);
    expect(plainKeys('Wo ist die Überprüfung der Einstellungen?')).toHaveLength(2);
    expect(plainKeys("don't panic")).toEqual(['panic']);
    expect(plainKeys('где находятся настройки')).toHaveLength(2);
  });

  it('searches stop words when there is nothing else', () => {
    expect(plainKeys('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
    expect(finds('to be or not to be', 'To be, or not to be, that is the question')).toBe(true);
  });

  it('takes forms of one word as one term', () => {
    expect(analyzeQuery('deploy deployed deployment Deploy').terms).toHaveLength(1);
  });

  it('keeps the number of keys of a long query in bounds', () => {
    const words = Array.from(
      { length: 64 },
      (_, index) => `qx${String.fromCharCode(97 + (index % 26))}${'z'.repeat(index)}`,
    );
    const keys = analyzeQuery(words.join(' ')).terms.flatMap((term) => term.keys);
    expect(keys.length).toBeLessThanOrEqual(128);
  });

  it('analyzes a query as before, whatever other queries held', () => {
    const queries = [
      'index user',
      'The the THE index',
      'reindex retry_policy',
      're-index the userId of Überprüfung',
    ];
    const before = queries.map((query) => analyzeQuery(query));
    for (let first = 0; first < 20_000; first += 500) {
      analyzeQuery(Array.from({ length: 500 }, (_, index) => `w${(first + index).toString(36)}`).join(' '));
    }
    expect(queries.map((query) => analyzeQuery(query))).toEqual(before);
    expect(queries.toReversed().map((query) => analyzeQuery(query))).toEqual(before.toReversed());
  });
});
