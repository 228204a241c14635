import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '../../../src/search/index.ts';
import { analyzeText } from '../../support/analyze-text.ts';
import { countMatches, finds } from './matching.ts';

describe('words (spec 20 S6)', () => {
  it('finds other forms of an English word', () => {
    for (const query of ['deploying', 'deployment', 'deploys', 'DEPLOYED']) {
      expect(finds(query, 'The deployment happens at night.')).toBe(true);
      expect(finds(query, 'She deploys it.')).toBe(true);
    }
  });

  it.each([
    ['Überprüfungen', 'Die Überprüfung der Einstellungen ist fertig.'],
    ['configuraciones', 'Hemos cambiado la configuración de la base de datos.'],
    ['développements', 'Nous avons terminé le développement de la passerelle.'],
    ['configurazione', 'Abbiamo cambiato le configurazioni della rete.'],
    ['configurações', 'Mudamos a configuração do servidor para todos.'],
    ['omgeving', 'We gebruiken dezelfde omgevingen voor het team.'],
    ['databasen', 'Vi har flyttat databaserna och det är klart.'],
    ['tietokannat', 'Olemme päättäneet että tietokanta on varmuuskopioitu.'],
    ['настройка', 'Настройки базы данных проверены.'],
    ['χρήστη', 'Οι χρήστες προτιμούν τις ρυθμίσεις'],
    ['kitaplar', 'Bu kitap çok güzel ve benim için önemli.'],
    ['adatbázis', 'Az adatbázisok mentése megtörtént és ez jó.'],
  ])('finds another form in another language: %s', (query, entry) => {
    expect(finds(query, entry)).toBe(true);
  });

  it('finds a word without its diacritics, with them, and in the other German spelling', () => {
    for (const entry of ['Überprüfung', 'Die Überprüfung ist fertig.', 'The Überprüfung is done.']) {
      for (const query of ['uberprufung', 'Überprüfung', 'U\u0308berpru\u0308fung', 'ueberpruefung']) {
        expect(finds(query, entry)).toBe(true);
      }
    }
    expect(finds('Überprüfung', 'Ueberpruefung')).toBe(true);
    expect(finds('Smorrebrod', 'Smørrebrød')).toBe(true);
    expect(finds('Łódź', 'lodz')).toBe(true);
  });

  it('keeps a letter apart that only looks marked', () => {
    expect(finds('воина', 'война')).toBe(false);
  });

  it('ignores case, width and ligatures', () => {
    expect(finds('strasse', 'STRAẞE')).toBe(true);
    expect(finds('POSTGRES', 'ｐｏｓｔｇｒｅｓ')).toBe(true);
    expect(finds('ΟΔΟΣ', 'οδος')).toBe(true);
    expect(finds('file', 'ﬁle')).toBe(true);
    expect(finds('database', 'data\u00adbase')).toBe(true);
  });

  it('does not let the stem of one language meet a word of another', () => {
    expect(finds('notes', 'Do not ask.')).toBe(false);
  });

  it('finds an identifier by itself, in its other spellings and by its parts', () => {
    for (const entry of ['see retryPolicy', 'see retry_policy', 'RETRY_POLICY', 'the RetryPolicy class']) {
      for (const query of ['retryPolicy', 'retry_policy', 'retrypolicy', 'retry', 'policies']) {
        expect(finds(query, entry)).toBe(true);
      }
    }
    for (const query of ['HTTPServer2', 'httpserver2', 'http', 'server']) {
      expect(finds(query, 'new HTTPServer2()')).toBe(true);
    }
    for (const query of ['a.b/c', 'a/c', 'b']) expect(finds(query, 'in a.b/c')).toBe(true);
    expect(finds('retryPolicy', 'the retry policy')).toBe(true);
    expect(finds('postgres', 'runs on postgres16')).toBe(true);
  });

  it('counts an identifier as one query term, and leaves out its parts that say nothing', () => {
    expect(analyzeQuery('getUserById').terms).toHaveLength(1);
    expect(finds('getUserById', 'written by them')).toBe(false);
    expect(finds('getUserById', 'one user')).toBe(true);
  });

  it('keeps a dotted name whole, beside its words', () => {
    const wordsOf = (query: string) => analyzeQuery(query).terms.map(({ text }) => text);
    expect(wordsOf('Tsconfig.Base.json')).toEqual(['tsconfig', 'base', 'json', 'tsconfig.base.json']);
    expect(countMatches('tsconfig.base.json', 'edit Tsconfig.base.JSON.')).toBe(4);
    expect(countMatches('tsconfig.base.json', 'the tsconfig has a base in json')).toBe(3);
    expect(finds('docs/guide.md', 'docs, guide, md')).toBe(true);
    expect(countMatches('größe.ändern', 'groesse, GRÖSSE.ANDERN')).toBe(3);
    expect(wordsOf('It ended. Nothing... .hidden. a..b')).not.toContainEqual(expect.stringContaining('.'));
    expect(wordsOf('one.two.three.four.five')).toHaveLength(5);
    expect(analyzeText('edit tsconfig.base.json').length).toBe(4);
  });

  it('counts a part of several identifiers once', () => {
    expect(finds('user1 user2 user3', 'one user')).toBe(false);
    expect(finds('user1 user2 user3', 'user1 and user3')).toBe(true);
    expect(finds('user1', 'one user')).toBe(true);
  });

  it('does not take hexadecimal ids apart', () => {
    expect([...analyzeText('0199c1a0').terms.keys()]).toEqual(['0199c1a0', '#0199c1a', '#0199c1a0']);
    expect(finds('0199c1a0', 'a c 1')).toBe(false);
  });

  it('cuts a word at 64 characters', () => {
    expect(finds('x'.repeat(8192), 'x'.repeat(64))).toBe(true);
    expect(finds('x'.repeat(8192), 'x'.repeat(63))).toBe(false);
    expect(finds('𝒳𐐷'.repeat(64), '𝒳𐐷'.repeat(32))).toBe(true);
  });

  it('counts frequency and length in words, stop words too', () => {
    const { terms, length } = analyzeText('The deployment deploys the deployment.');
    expect(terms).toEqual(
      new Map([
        ['the', 2],
        ['deploy', 3],
      ]),
    );
    expect(length).toBe(5);
  });

  it('keeps one index key for a plain English word, and at most two for others', () => {
    expect(analyzeText('Use Postgres for every environment').terms.size).toBe(5);
    const german = 'Wir haben die Überprüfung der Einstellungen abgeschlossen';
    expect(analyzeText(german).terms.size).toBeLessThanOrEqual(2 * 8);
    expect(countMatches('Einstellung', german)).toBe(1);
  });
});
