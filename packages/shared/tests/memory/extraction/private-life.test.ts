import { describe, expect, test } from 'vitest';
import { keptSentences, smallTalk } from './domain-sentences.ts';
import { extractionOf, textsIn } from './statements.ts';

describe('a project may be about what small talk is about (spec 25 Q15)', () => {
  test.each(keptSentences)('kept: %s', async (sentence) => {
    expect(await textsIn(sentence)).toEqual([sentence]);
  });

  test.each(smallTalk)('small talk: %s', async (sentence) => {
    expect(await textsIn(sentence)).toEqual([]);
  });
});

test.each([
  'No meetings on Wednesdays before noon.',
  'No se trabaja los domingos.',
  'Non si lavora la domenica.',
  'Super admins approve refunds.',
  'Sounds are muted by default.',
])('a rule or a name that begins like a comment: %s', async (sentence) => {
  expect(await textsIn(sentence)).toEqual([sentence]);
});

test.each([
  'No worries at all about it.',
  'No, that is not it.',
  'Super, that was quick.',
  'Sounds good to everybody here.',
])('a comment: %s', async (sentence) => {
  expect(await textsIn(sentence)).toEqual([]);
});

test('facts with a number or a name do not count as those of which five are kept', async () => {
  const facts = Array.from(
    { length: 12 },
    (_, index) => `Choir ${index + 1} sings in front of the fountain.`,
  );
  const named = ['Anna', 'Bruno', 'Carla', 'Dario', 'Elif', 'Farid', 'Greta'].map(
    (name) => `The solo of the evening is sung by ${name} alone.`,
  );
  expect(await textsIn([...facts, ...named].join('\n'))).toHaveLength(19);
});

test('what is left out beyond five plain facts is counted', async () => {
  const colors = ['red', 'green', 'blue', 'grey', 'black', 'white', 'brown', 'pink'];
  const found = await extractionOf([colors.map((color) => `The door of the hall is ${color}.`).join('\n')]);
  expect(found.proposals).toHaveLength(5);
  expect(found.leftOut).toEqual([{ position: 1, reason: 'limit', count: 3 }]);
});
