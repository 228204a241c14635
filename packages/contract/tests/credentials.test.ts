import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findCredentials, hasCredential, redactCredentials } from '../src/credentials/index.ts';

/** Shared with every implementation of the rules. `strict` is present where it differs from `redacted`, the result of `standard`. */
interface Vector {
  text: string;
  redacted: string;
  strict?: string;
}
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/credentials.json', import.meta.url), 'utf8'),
) as Vector[];

test.each(vectors)('spec 25 Q17: $text', ({ text, redacted, strict = redacted }) => {
  expect(redactCredentials(text, 'standard').text).toBe(redacted);
  const found = redactCredentials(text, 'strict');
  expect(found.text).toBe(strict);
  expect(found.count > 0).toBe(strict !== text);
  // Redacted text is stored again by imports and hooks.
  expect(redactCredentials(strict, 'strict')).toEqual({ text: strict, count: 0 });
  expect(redactCredentials(redacted, 'standard').count).toBe(0);
});

test('the spans are ascending, disjoint and inside of the text', () => {
  const text = vectors.map((vector) => vector.text).join('\n\n');
  let last = 0;
  for (const { start, end } of findCredentials(text, 'strict')) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(text.length);
});

test.each([
  '4242424242424242',
  '5555 5555 5555 4444',
  '3782-822463-10005',
  '6011111111111117',
  '3530111333300000',
])('a card number of each issuer, and none with another check digit: %s', (card) => {
  expect(hasCredential(`Charged ${card} today.`)).toBe(true);
  const other = `${card.slice(0, -1)}${(Number(card.at(-1)) + 1) % 10}`;
  expect(hasCredential(`Charged ${other} today.`)).toBe(false);
});

test.each([
  'NL91 ABNA 0417 1643 00',
  'CH9300762011623852957',
  'AT611904300234573201',
  'es91 2100 0418 4502 0005 1332',
])('an IBAN of each form, and none with other digits: %s', (iban) => {
  expect(redactCredentials(`Pay to ${iban} today.`, 'standard').text).toBe('Pay to [redacted] today.');
  expect(
    hasCredential(`Pay to ${iban.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`)} today.`),
  ).toBe(false);
});

test.each([
  'a',
  '1',
  ' ',
  '\n',
  'aB3/',
  'DE89 ',
  'http://a:',
  'eyJaaaaaaaa-',
  '-----BEGIN A PRIVATE KEY-----\n',
  'password',
  'token="',
  '密码',
])('the time is linear in a text of 1 MB of %j', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const begun = process.cpuUsage();
  findCredentials(text, 'strict');
  const { user } = process.cpuUsage(begun);
  // Up to 2 s. Quadratic takes minutes.
  expect(user / 1e6).toBeLessThan(20);
});
