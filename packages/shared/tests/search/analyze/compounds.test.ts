import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCompound } from '../../../src/search/analyze/compounds.ts';
import { stripDiacritics } from '../../../src/search/analyze/fold.ts';
import { compoundWords } from '../../../src/search/analyze/german-words.ts';
import { analyzeQuery } from '../../../src/search/index.ts';
import { analyzeText } from '../../support/analyze-text.ts';
import { finds } from './matching.ts';

const split = (word: string) => splitCompound(word, 'one unlisted');

describe('German compounds (spec 20 S6, ours)', () => {
  it.each([
    ['kundendatenbankserver', ['kunden', 'datenbank'], ['server', 'kundendatenbank', 'datenbankserver']],
    ['zahlungserinnerungen', ['zahlung'], ['erinnerungen']],
    ['authentifizierungsdienst', ['authentifizierung'], ['dienst']],
    ['kundenzufriedenheit', ['kunden'], ['zufriedenheit']],
    ['bildverarbeitung', ['bild'], ['verarbeitung']],
  ])('takes %s apart', (word, modifiers, heads) => {
    expect(split(word)).toEqual({ modifiers, heads });
  });

  it.each(
    `datenbanken verwaltung vorstellung formulierung formatierung untersuchung mitarbeiter beispiel unterlagen nachfrage
     arbeitslosigkeit freundlichkeit verantwortlich automatisch veroffentlicht wissenschaftler nachbarschaft persönlich
     einstellungen zeitung kindergarten information understanding`.split(/\s+/),
  )('leaves %s whole', (word) => {
    expect(split(word)).toBeNull();
  });

  it('guesses nothing of a text that may be in another language', () => {
    expect(splitCompound('tokenizer', 'listed')).toBeNull();
    expect(splitCompound('kundendatenbank', 'listed')).not.toBeNull();
  });

  it('puts the word itself before a compound that it is in', () => {
    const [term] = analyzeQuery('Zahlung').terms;
    const weightOf = (text: string): number =>
      Math.max(
        ...(term?.keys ?? []).map((key, index) =>
          analyzeText(text).terms.has(key) ? (term?.weights[index] ?? 0) : 0,
        ),
      );
    expect(weightOf('Die Zahlung ist da.')).toBe(1);
    expect(weightOf('Die Zahlungserinnerung ist da.')).toBeLessThan(1);
    expect(weightOf('Die Zahlungserinnerung ist da.')).toBeGreaterThan(0);
  });

  it('finds what a compound says in separate words, and still what an entry without such keys holds', () => {
    expect(finds('Rechnungsprüfung', 'Die Prüfung der Rechnungen dauert.')).toBe(true);
    expect(finds('Krankenwagen', 'Die Krankenversicherung zahlt das.')).toBe(false);
  });

  it('answers pieces of the word, whatever the word', () => {
    const words = fc.array(fc.constantFrom(...compoundWords, 's', 'en', 'e', 'er'), { maxLength: 16 });
    fc.assert(
      fc.property(words, (parts) => {
        const word = parts.join('').slice(0, 64);
        const compound = split(word);
        for (const part of [...(compound?.modifiers ?? []), ...(compound?.heads ?? [])]) {
          expect(stripDiacritics(word)).toContain(part);
        }
      }),
    );
  });
});
