import { describe, expect, test } from 'vitest';
import { labeledSentences, splitSentences } from '../src/extraction-set/sentences.ts';
import { measureExtraction } from '../src/quality/extraction.ts';

describe('spec 25 scenario 12: the figures of Q15', () => {
  const { tuning, heldOut } = splitSentences();

  test.each([
    ['all', labeledSentences],
    ['the half that the rules are tuned on', tuning],
    ['the held-out half', heldOut],
  ])('%s', (_, sentences) => {
    const quality = measureExtraction(sentences);
    expect(quality.precision).toBeGreaterThanOrEqual(0.85);
    expect(quality.recall).toBeGreaterThanOrEqual(0.85);
    expect(quality.kinds).toBeGreaterThanOrEqual(0.8);
  });

  test('200 different sentences, 50 in each of four languages, in two halves', () => {
    expect(new Set(labeledSentences.map(({ text }) => text)).size).toBe(200);
    for (const language of ['en', 'de', 'zh', 'ja'])
      for (const half of [tuning, heldOut])
        expect(half.filter((sentence) => sentence.language === language)).toHaveLength(25);
  });
});
