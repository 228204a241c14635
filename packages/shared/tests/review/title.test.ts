import { expect, test } from 'vitest';
import { titleOf } from '../../src/review/create-candidate.ts';

test.each([
  ['a name', 'a name'],
  ['Regenerate first.\nThen test.', 'Regenerate first.'],
  [' \n\r\n\u2028  Tab\tand \u00a0 spaces \u2029rest', 'Tab and spaces'],
  ['x'.repeat(240), 'x'.repeat(240)],
  ['😀'.repeat(241), `${'😀'.repeat(239)}…`],
])('the title of %j', (text, title) => {
  expect(titleOf(text)).toBe(title);
});
