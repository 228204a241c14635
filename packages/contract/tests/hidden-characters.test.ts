import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  countHiddenCharacters,
  drawHiddenCharacters,
  type HiddenKind,
  hiddenKinds,
  readTags,
  splitHiddenCharacters,
} from '../src/notation/hidden-characters.ts';

/** The kinds that a text has, with their counts. */
const kindsOf = (text: string) =>
  Object.fromEntries(Object.entries(countHiddenCharacters(text)).filter(([, count]) => count > 0));

const ofKind: [HiddenKind, string][] = [
  ['tag', '\u{e0001}\u{e0020}\u{e0041}\u{e007f}'],
  ['bidirectional', '\u061c\u200e\u200f\u202a\u202e\u2066\u2069'],
  ['zero_width', '\u180e\u200b\u200c\u200d\u2060\ufeff'],
  ['variation_selector', '\u180b\ufe00\ufe0f\u{e0100}\u{e01ef}'],
  ['control', '\u0000\u0007\u001b\u007f\u0085\u009f\r'],
  ['space', '\u00a0\u1680\u2000\u200a\u202f\u205f'],
  ['other', '\u00ad\u034f\u2028\u2029\u2061\u2800\u3164\uffa0\ufff9\u{1d173}'],
];

describe('spec 40 §4.10: hidden characters', () => {
  test('every kind has an example', () => {
    expect(ofKind.map(([kind]) => kind)).toEqual([...hiddenKinds]);
  });

  test.each(ofKind)('%s', (kind, characters) => {
    const points = [...characters];
    expect(kindsOf(points.map((one) => `a${one}b`).join(''))).toEqual({ [kind]: points.length });
    for (const point of points) expect(drawHiddenCharacters(`a${point}b`)).toMatch(/^a<U\+[0-9A-F]{4,5}>b$/);
  });

  test.each([
    'plain text\twith tabs\r\nand lines\n',
    '\u3000全角',
    '👩‍👩‍👧‍👦 ❤️ 1️⃣ 🏳️‍🌈 👍🏽 🇩🇪',
    'é e\u0301 नमस्ते',
  ])('%j has none', (text) => {
    expect(kindsOf(text)).toEqual({});
    expect(drawHiddenCharacters(text)).toBe(text);
  });

  test('joiners and selectors count outside of emoji alone, and tags count behind one', () => {
    expect(kindsOf('❤️\ufe0f')).toEqual({ variation_selector: 1 });
    expect(kindsOf('👩‍👩‍👧‍👦\u200d')).toEqual({ zero_width: 1 });
    expect(kindsOf('🏴\u{e0067}\u{e007f}')).toEqual({ tag: 2 });
  });

  test('a run of one character is one code with its count, and the parts are the text', () => {
    const text = `a${'\u200b'.repeat(5)}\u200c\u{e0072}\u{e0072}z`;
    expect(drawHiddenCharacters(text)).toBe('a<U+200B ×5><U+200C><U+E0072 ×2>z');
    expect([...splitHiddenCharacters(text)].map((part) => part.text).join('')).toBe(text);
  });

  test('a text with more emoji than are told apart counts the joiners of the rest', () => {
    expect(kindsOf('👩‍🚀 '.repeat(20_000))).toEqual({});
    expect(kindsOf(`${'👩‍🚀 '.repeat(20_010)}\u{e0041}`)).toEqual({ tag: 1, zero_width: 10 });
  });

  test('tags are read as the text that they spell', () => {
    expect(readTags('a\u{e0001}\u{e0072}\u{e006d}\u{e0020}\u{e002d}\u{e0072}\u{e007f}b')).toBe('rm -r');
  });
});

test('the rule imports nothing, so that a page can load it', async () => {
  const module = fileURLToPath(new URL('../src/notation/hidden-characters.ts', import.meta.url));
  expect(await readFile(module, 'utf8')).not.toMatch(/^\s*(?:import|export .* from)\b/m);
});
