import { describe, expect, it } from 'vitest';
import { chooseLanguage, weighLanguages } from '../../../src/search/analyze/language.ts';

const detect = (text: string): string =>
  chooseLanguage(weighLanguages(text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []));

describe('language detection', () => {
  it.each([
    'Use Postgres 16 for every environment.',
    'Will also deploy the AI service on demand',
    'git rebase main',
    'docker compose up',
    'kubectl get pods',
    'MIT license',
    'TODO: fix the end of the OS image',
    'rm -rf /var/lib/data',
    'The café on Main Street',
    'Met Ben and Dan at the door; men want more',
    'retry policy',
    'Müller said that the meeting is at noon',
    'SELECT * FROM users WHERE id IN (1, 2)',
    '',
  ])('takes for English: %s', (text) => {
    expect(detect(text)).toBe('en');
  });

  it.each([
    ['de', 'Die Datenbank wird täglich gesichert und geprüft.'],
    ['de', 'Überprüfung'],
    ['de', 'Wir verwenden Postgres'],
    ['fr', 'Nous avons choisi une base de données pour le projet.'],
    ['es', 'La base de datos se guarda cada día para el equipo.'],
    ['it', 'La configurazione della rete non è pronta.'],
    ['pt', 'A configuração não está pronta, mas o time já sabe.'],
    ['nl', 'We gebruiken deze omgeving niet voor het testen.'],
    ['sv', 'Vi använder inte den här databasen och det är bra.'],
    ['da', 'Vi bruger ikke denne database, og det er godt af hensyn til sikkerheden.'],
    ['no', 'Vi bruker ikke denne databasen etter hva jeg har sett.'],
    ['fi', 'Tietokanta on varmuuskopioitu ja se ei ole rikki.'],
    ['tr', 'Bu veritabanı her gün yedeklenir ve çok önemli.'],
    ['ro', 'Baza de date este salvată în fiecare zi și este sigură.'],
    ['hu', 'Az adatbázis mentése minden nap megtörténik és ez jó.'],
  ])('tells %s: %s', (language, text) => {
    expect(detect(text)).toBe(language);
  });
});
