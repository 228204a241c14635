import { cpuTimeOf } from '@continuity/testing';
import { describe, expect, test } from 'vitest';
import { textsIn } from './statements.ts';

const repeated = (unit: string, characters: number) => unit.repeat(characters / unit.length);

describe('spec 25 Q14: the time is linear in the length of a Source', () => {
  test.each([
    ['10,000 line breaks', `We decided.${'\n'.repeat(10_000)}Never log tokens.`],
    ['a line of 10 MB', repeated('We must never stop ', 10_000_000)],
    ['a word of 10 MB', `must ${'x'.repeat(10_000_000)}`],
    ['sentences of 2 MB', repeated('Never log. ', 2_000_000)],
    ['nested JSON in a text', '['.repeat(2_000_000)],
    ['messages of 4 MB', repeated('{"role":"user","content":"We must never stop."}\n', 4_000_000)],
    ['a header and blanks', `From:${' '.repeat(1_000_000)}@`],
    ['a speaker and blanks', `<v Lena>a${' '.repeat(1_000_000)}b\n<v Tom>${' '.repeat(1_000_000)}`],
    ['a stamp and blanks', `12/03/2026, 09:14 - A:${' '.repeat(1_000_000)}b\n12/03/2026, 09:14 - B: b`],
    ['braces', '{"role":'.repeat(400_000)],
  ])('%s', async (_, source) => {
    expect(await cpuTimeOf(() => textsIn(source))).toBeLessThan(60_000);
  });

  test.each([
    '<a> ',
    '<a> b\n',
    'From: a@b\n',
    '>\n',
    '<a>',
    'Lena\n9:14 AM\n',
    '[9:14 AM] Lena\n',
    '12/03/2026, 09:14 - A: b\n',
    '> 5 % errors\n',
    '> Hosting: Hetzner\n',
    'Hosting: Hetzner\n',
    '>',
  ])('1 MB of %j', async (unit) => {
    expect(await cpuTimeOf(() => textsIn(repeated(unit, 1_000_000)))).toBeLessThan(60_000);
  });
});
