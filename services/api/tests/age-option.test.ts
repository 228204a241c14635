import { expect, test } from 'vitest';
import { ageOption } from '../src/age-option.ts';

const age = ageOption(/^[1-9]\d{0,4}[mhd]$/, 'must be a number with m, h or d, such as 1d');

test.each([
  ['30m', 30 * 60_000],
  ['12h', 12 * 3_600_000],
  ['7d', 7 * 86_400_000],
])('an age of %s is in milliseconds', (text, ms) => {
  expect(age.parse(text)).toBe(ms);
});

test.each(['0d', '5s', '7', 'd', '-1d', '1.5h', '100000d', '1d\n'])('%j is no age', (text) => {
  expect(age.safeParse(text).error?.issues[0]?.message).toBe('must be a number with m, h or d, such as 1d');
});
