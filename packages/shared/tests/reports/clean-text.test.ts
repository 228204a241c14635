import { expect, test } from 'vitest';
import { cleanText } from '../../src/reports/render/lines.ts';

test.each([
  ['a\r\nb\nc\rd', 'a b c d'],
  ['a\n\nb', 'a  b'],
  ['a\u000Bb\u000Cc\u001Cd\u001Ee\u0085f\u2028g\u2029h', 'a b c d e f g h'],
  ['\u0000\u001B\u007F', '\uFFFD'],
  ['\u00A0 \uFEFF a \u3000', 'a'],
  [' \n ', '\uFFFD'],
  ['\u202Eabc\u2066\u061C\u200F', '\uFFFDabc\uFFFD\uFFFD\uFFFD'],
  ['e\u0301 stays', 'e\u0301 stays'],
])('spec 30 §4.9.2: the clean form of %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean);
});
