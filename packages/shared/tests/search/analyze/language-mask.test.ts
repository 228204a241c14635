import { expect, test } from 'vitest';
import { languageOf, languagesOf } from '../../../src/search/analyze/language-mask.ts';
import { latinLanguages } from '../../../src/search/analyze/stemmers.ts';
import { compoundKey, languageKeys, plainKey } from '../../../src/search/analyze/word-keys.ts';

test('each language but English has a bit of its own, and so have parts of compounds', () => {
  const keys = latinLanguages
    .filter((language) => language !== 'en')
    .map((one) => languageKeys('rechnung', one)[0] ?? '');
  const languages = [...keys, compoundKey('rechnung')].map(languageOf);
  expect(new Set(languages).size).toBe(latinLanguages.length);
  for (const language of languages) expect(Math.log2(language)).toBe(Math.floor(Math.log2(language)));
  expect(languagesOf([...keys, 'invoice'])).toBe(languages.slice(0, -1).reduce((all, one) => all | one, 0));
});

test.each(['rechnung', 'src/de:rechnung', 'a:b', 'xx:rechnung', '日本', 'getUserById', ''])(
  '%s may be a key of any language',
  (word) => {
    expect(languageOf(word)).toBe(0);
    expect(languageOf(plainKey(word))).toBe(0);
  },
);
