import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '../../../src/search/index.ts';
import { countMatches, finds } from './matching.ts';

const keysOf = (query: string): readonly (readonly string[])[] =>
  analyzeQuery(query, 0).terms.map(({ keys }) => keys);

describe('other spellings in a query (spec 25 Q7)', () => {
  it.each([
    ['10000 rows', 'The batch size is 10,000 rows.', 'The page size is 10 rows.'],
    ['10k rows', 'The batch size is 10,000 rows.', 'The page size is 10 rows.'],
    ['25,000 rows', 'The importer takes 25000 rows at once.', 'The page size is 10 rows.'],
    ['25 000 rows', 'The importer takes 25000 rows at once.', 'The page size is 10 rows.'],
    ['25k rows', 'The importer takes 25000 rows at once.', 'The page size is 10 rows.'],
    ['1500 Zeilen', 'Der Export schreibt 1.500 Zeilen.', 'Der Export schreibt 1.200 Zeilen.'],
    ['1,500 rows', 'The exporter takes 1.500 rows.', 'The exporter takes 1.200 rows.'],
  ])('finds the number of "%s" in "%s" rather than in "%s"', (query, entry, other) => {
    expect(finds(query, entry)).toBe(true);
    expect(countMatches(query, entry)).toBeGreaterThan(countMatches(query, other));
  });

  it.each([
    ['3 Nov 2026', 'Go-live is on 2026-11-03.'],
    ['November 3rd', 'Go-live is on 2026-11-03.'],
    ['what happens on the 3rd of November?', 'Go-live is on 2026-11-03.'],
    ['3.11.2026', 'Go-live is on 2026-11-03.'],
    ['2027-02-09', 'The offsite is on Feb 9, 2027.'],
    ['2027-03-31', 'The contract ends March 31st, 2027.'],
    ['17 April 2027', 'Die Abnahme ist am 17.04.2027.'],
    ['2026-12-03', 'Die Prüfung ist am 3. Dezember 2026.'],
    ['8 May 2027', 'Le lancement est le 8 mai 2027.'],
  ])('finds the date "%s" in "%s"', (query, entry) => {
    expect(finds(query, entry)).toBe(true);
  });

  it('looks for no names of months for the time stamp of a log line, or a version', () => {
    for (const text of ['2026-11-03 08:14:02 failed', '2026-11-03T08:14:02Z failed', 'v3.11.2026 failed'])
      expect(keysOf(text).flat()).not.toContain('nov');
  });

  it('takes a year, a port and an id for no grouped number', () => {
    for (const number of ['2026', '8000', '7443', '48123']) {
      expect(keysOf(`port ${number}`)).toHaveLength(2);
      expect(keysOf(`port ${number}`).flat()).not.toContain('000');
    }
  });

  it.each([
    ['nodejs', 'Node.js 22 is the minimum.'],
    ['VueJS', 'The admin uses Vue.js.'],
    ['Nest.js', 'NestJS serves the API.'],
    ['socketio', 'Socket.IO keeps chats open.'],
  ])('finds "%s" in "%s"', (query, entry) => {
    expect(countMatches(query, entry)).toBeGreaterThan(0);
  });

  it('finds a version with and without its v before another version', () => {
    expect(countMatches('7.4', 'generated with v7.4')).toBeGreaterThan(
      countMatches('7.4', 'generated with 8.4'),
    );
    expect(countMatches('v7.8', 'generated with 7.8')).toBeGreaterThan(
      countMatches('v7.8', 'generated with 8.8'),
    );
  });

  it('counts each word of a hyphenated name, stop words too', () => {
    const [named, other] = ['Priya is on call in odd weeks.', 'The job will call the API.'];
    expect(countMatches('on-call', named)).toBeGreaterThan(countMatches('on-call', other));
  });
});
