import { expect, test } from 'vitest';
import { stripTerminalControls } from '../../../src/search/analyze/terminal-controls.ts';
import { finds } from './matching.ts';

const esc = '\u001b';

test.each([
  ['colors', `${esc}[31mERROR${esc}[0m refused by ${esc}[1;32mredis${esc}[0m`],
  ['256 colors', `${esc}[38;5;208mERROR${esc}[m refused by ${esc}[48;5;16mredis${esc}[0m`],
  ['true color with colons', `${esc}[38:2::255:0:0mERROR${esc}[0m refused by redis`],
  ['a match that grep highlights inside a word', `ERROR refused by re${esc}[01;31m${esc}[Kdis${esc}[m`],
  ['8-bit controls', '\u009b31mERROR\u009b0m refused by redis'],
  ['a hyperlink', `ERROR refused by ${esc}]8;;https://example.com/x${esc}\\redis${esc}]8;;${esc}\\`],
  ['a window title', `${esc}]0;user@host\u0007ERROR refused by redis`],
  ['cursor movement', `waiting${esc}[2K\rERROR refused by${esc}[1Gredis`],
  ['escapes of JSON', '\\u001b[31mERROR\\u001b[0m refused by \\u001b[32mredis\\u001b[0m'],
  ['escapes of a shell', '\\x1b[31mERROR\\033[0m refused by \\e[32mredis\\e[0m'],
  ['caret notation', '^[[31mERROR^[[0m refused by ^[[32mredis^[[0m'],
  ['overstruck letters', 'E\bER\bRR\bRO\bOR\bR refused by _\br_\be_\bd_\bi_\bs'],
])('spec 25 Q7: text with %s is found by its words', (_name, text) => {
  for (const query of ['redis', 'error refused', 'ERROR']) expect(finds(query, text), query).toBe(true);
  expect(finds('31merror 0m', text)).toBe(false);
});

test('a query that is copied from a terminal finds plain text', () => {
  expect(finds(`${esc}[31mredis${esc}[0m`, 'refused by redis')).toBe(true);
});

test('plain text stays as it is', () => {
  for (const text of ['a[0m]b', 'C:\\new\\33', 'x^[y', '[1;2m', 'tab\there\nline']) {
    expect(stripTerminalControls(text)).toBe(text);
  }
});

test('an unfinished sequence of any length takes linear time', () => {
  for (const text of [`${esc}]8;`.repeat(30_000), `${esc}[`.repeat(50_000), '\b'.repeat(100_000)]) {
    const start = performance.now();
    stripTerminalControls(text);
    expect(performance.now() - start).toBeLessThan(2_000);
  }
});
