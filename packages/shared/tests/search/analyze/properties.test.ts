import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyLanguage, languageOf } from '../../../src/search/analyze/language-mask.ts';
import { analyzeQuery } from '../../../src/search/index.ts';
import { analyzeText } from '../../support/analyze-text.ts';
import { finds } from './matching.ts';

const sentences = [
  'Use Postgres 16 for every environment; deployments are never done by hand.',
  'Die Überprüfung der größeren Häuser ist abgeschlossen, und wir haben das Maß verändert.',
  'Nous avons décidé que l’œuvre déployée est à vérifier par les équipes où elle naît.',
  'Hemos decidido que la configuración del año se guarda rápidamente.',
  'A configuração não é válida até às três horas da manhã.',
  'Perché la città è più grande, abbiamo spostato le università.',
  'Vi har sökt på många ställen; færøske øer er ikke små, og det gør ikke noget.',
  'Päätöksemme mukaan tietokannat varmuuskopioidaan päivittäin.',
  'Az őszi frissítések után a kérdéseket újra megvizsgáljuk.',
  'İstanbul’daki kullanıcılar ışık ve gölge ayarlarını değiştirdi.',
  'Și în fiecare zi câțiva oameni verifică setările.',
  'Мы решили, что ещё раз проверим настройки сервера й ё.',
  'Αποφασίσαμε ότι οι βάσεις δεδομένων της ΟΔΟΥ αντιγράφονται.',
  'قررنا أن ننسخ قواعد البيانات كل يوم',
  'हमने निर्णय लिया कि डेटाबेस सुरक्षित है',
  'retryPolicy retry_policy __init__ a.b/c HTTPServer2 sha256 x86_64 0199c1a0-7d10 İD_ẞx',
];
const wordsOf = (text: string): string[] =>
  (text.normalize('NFC').match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu) ?? []).filter((word) =>
    /[^_]/.test(word),
  );

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
    .map((units) => String.fromCharCode(...units)),
);
// Letters, marks and separators of the scripts whose words are runs of letters.
const lettersAndMarks = [...'aAbBeEiInNsStTuUxXyYzZßẞüÜöäåøéèçñıİğşțăőςσΣάώйёЖщאבּשקִكأةपिका_019 -.\u0301'];
// Thousands of letters that are all treated as one kind.
const manyAlike = /[\u3400-\u9fff\uac00-\ud7af\u{17000}-\u{18cff}]/u;
const wordText = fc.array(fc.constantFrom(...lettersAndMarks), { maxLength: 80 }).map((all) => all.join(''));

describe('analysis of any text', () => {
  it.each(sentences)('finds every word of an entry that asks for exactly that word: %s', (sentence) => {
    for (const word of wordsOf(sentence)) expect(finds(word, sentence), word).toBe(true);
  });

  it('finds every word of an entry that mixes languages', () => {
    const texts = fc.shuffledSubarray(sentences, { minLength: 2, maxLength: 4 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(texts, (text) => {
        for (const word of wordsOf(text)) expect(finds(word, text), word).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('finds every word of arbitrary letters and marks', () => {
    fc.assert(
      fc.property(wordText, (text) => {
        for (const word of wordsOf(text)) expect(finds(word, text), word).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('finds every letter and digit of Unicode that stands alone', () => {
    const missed: string[] = [];
    for (let point = 0x30; point <= 0x1ffff; point += 1) {
      const character = String.fromCodePoint(point);
      // Some are called letters, and are a lone mark by their compatibility form.
      const isLetter =
        /^[\p{L}\p{Nd}]$/u.test(character) && /[\p{L}\p{Nd}]/u.test(character.normalize('NFKC'));
      if (isLetter && !manyAlike.test(character) && !finds(character, character))
        missed.push(point.toString(16));
    }
    expect(missed).toEqual([]);
  });

  it('never throws, gives the same twice, and keeps its bounds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const entry = analyzeText(text);
        const query = analyzeQuery(text);
        expect(analyzeText(text)).toEqual(entry);
        expect(analyzeQuery(text)).toEqual(query);
        expect(query.terms.length).toBeLessThanOrEqual(512);
        expect(query.segments.length).toBeLessThanOrEqual(64);
        for (const { terms } of query.segments) {
          expect(terms.length).toBeGreaterThan(0);
          expect(new Set(terms).size).toBe(terms.length);
          expect(terms.length).toBeLessThanOrEqual(64);
        }
        expect(entry.length).toBeLessThanOrEqual(text.length * 20);
        for (const [key, frequency] of entry.terms) {
          expect(key).not.toBe('');
          expect(frequency).toBeGreaterThan(0);
          expect([...key].length).toBeLessThanOrEqual(80);
        }
        for (const { keys } of query.terms) expect(keys.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('has the same terms for a corpus of some languages, without the keys of the others', () => {
    const languages = fc.oneof(fc.constantFrom(0, anyLanguage), fc.nat({ max: 2 ** 14 - 1 }));
    const words = fc.array(
      fc.constantFrom('Zahlungsfrist', 'kunden', 'décision', 'größe', 'clientes', 'running'),
    );
    const text = fc.oneof(
      anyText,
      words.map((some) => some.join(' ')),
    );
    fc.assert(
      fc.property(text, languages, (query, corpus) => {
        const whole = analyzeQuery(query);
        const expected = whole.terms.map(({ text, keys, weights }) => {
          const kept = keys.flatMap((key, place) =>
            (languageOf(key) & ~corpus) === 0 ? [{ key, weight: weights[place] }] : [],
          );
          return { text, keys: kept.map(({ key }) => key), weights: kept.map(({ weight }) => weight) };
        });
        expect(analyzeQuery(query, corpus)).toEqual({ terms: expected, segments: whole.segments });
      }),
      { numRuns: 500 },
    );
  });

  it('finds a text by itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (analyzeQuery(text).terms.length > 0) expect(finds(text, text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
