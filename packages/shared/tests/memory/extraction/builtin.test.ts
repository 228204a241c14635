import { utf8Length } from '@continuity/kernel/text';
import { cpuTimeOf } from '@continuity/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeProposals } from '../../../src/memory/extraction/index.ts';
import {
  extractionOf,
  extractor,
  proposalsFrom,
  sourceOf,
  statementsIn,
  tenantId,
  textsIn,
} from './statements.ts';

test('spec 20 scenario 22: a decision and a constraint that name their Source', async () => {
  const evidence = [{ name: 'content', source_id: 'source-1' }];
  expect(await proposalsFrom(['We decided to use Postgres 16. Never log tokens.'])).toEqual([
    { op: 'add', kind: 'decision', text: 'We decided to use Postgres 16.', evidence },
    { op: 'add', kind: 'constraint', text: 'Never log tokens.', evidence },
  ]);
  expect(extractor.id).toBe('rules.v2');
});

test('a caller that gave up ends it', async () => {
  const sources = [sourceOf('Never log tokens.')];
  const extraction = extractor.extract({
    tenantId,
    profile: 'coding',
    sources,
    known: [],
    signal: AbortSignal.abort(),
  });
  await expect(extraction).rejects.toMatchObject({ name: 'InferenceError', reason: 'timeout' });
});

test('spec 20 scenario 23, F14: one statement of two Sources is one proposal with both as evidence', async () => {
  const [first, ...others] = await proposalsFrom([
    'We decided to use pnpm.',
    'Hi!\n- We decided to use pnpm.',
  ]);
  expect(others).toEqual([]);
  expect(first?.evidence.map(({ source_id }) => source_id)).toEqual(['source-1', 'source-2']);
});

describe('spec 20 X1: text of a Source', () => {
  test('the string leaves of JSON stand alone, in the order of canonical JSON', async () => {
    const content = {
      z: 'Never log tokens',
      a: ['We decided to use Postgres', 16, null],
      m: { b: 'true', 10: 'Bob prefers tabs' },
    };
    expect(await textsIn(content)).toEqual([
      'We decided to use Postgres',
      'Bob prefers tabs',
      'Never log tokens',
    ]);
  });

  test('an unclosed code block of one leaf hides nothing of the next', async () => {
    expect(await textsIn(['```\ncode', 'Never log tokens.'])).toEqual(['Never log tokens.']);
  });

  test('values without text yield nothing', async () => {
    for (const content of [null, true, 42, '', '  \n', [], {}]) expect(await textsIn(content)).toEqual([]);
  });
});

describe('spec 20 X4: selection', () => {
  test('coding: what has a cue or a sign of work, and the first five other facts', async () => {
    const facts = ['red', 'blue', 'green', 'grey', 'white', 'black', 'brown', 'pink'].map(
      (name) => `- The ${name} one is much nicer`,
    );
    const signs = ['- The pool has 20 connections', '- The nightly export writes to disk'];
    const kept = await textsIn(
      ['- Too short fact', ...facts, ...signs, '- Never log', '- 今天部署数据', '- Blocked'].join('\n'),
    );
    expect(kept).toEqual([
      ...[...facts.slice(0, 5), ...signs].map((fact) => fact.slice(2)),
      'Never log',
      '今天部署数据',
      'Blocked',
    ]);
  });

  test('coding: a fact has four words or six CJK characters', async () => {
    expect(await textsIn('- One two three four\n- one two three\n- 数据库在这里\n- 数据库在这')).toEqual([
      'One two three four',
      '数据库在这里',
    ]);
  });

  test('coding: names in link targets and tags are no words, a URL is one', async () => {
    const items = [
      '[![CI](https://github.com/a/b/actions/badge.svg)](https://github.com/a/b/actions)',
      '<img src="a b c d e.png" width="650">',
      'See https://example.com/a/b/c/d now',
      'Docs are at https://example.com',
    ];
    expect(await textsIn(items.map((item) => `- ${item}`).join('\n'))).toEqual([
      'Docs are at https://example.com',
    ]);
  });

  test('conversation: statements of three words or four CJK characters, under their speaker', async () => {
    const talk =
      'Caroline: I went to Paris in May. Really nice. I like tea.\nMel: 我的狗叫雷\n\nSomeone left early today.';
    expect(await statementsIn(talk, 'conversation')).toEqual([
      ['fact', 'Caroline: I went to Paris in May.'],
      ['preference', 'Caroline: I like tea.'],
      ['fact', 'Mel: 我的狗叫雷'],
      ['fact', 'Someone left early today.'],
    ]);
    expect(await textsIn('- 部署在北\n- 部署在\n- never log', 'conversation')).toEqual(['部署在北']);
  });

  test('coding: the speaker is left out', async () => {
    expect(await textsIn('Alice: We decided to use Postgres 16.')).toEqual([
      'We decided to use Postgres 16.',
    ]);
  });

  test('a Source of a single unit is selected even if it is short', async () => {
    expect(await textsIn('Postgres 16')).toEqual(['Postgres 16']);
    expect(await textsIn('# Stack\n\n- Postgres 16')).toEqual(['Postgres 16']);
    expect(await textsIn('Bob: Postgres 16', 'conversation')).toEqual(['Bob: Postgres 16']);
  });

  test.each([
    'Should we never use Postgres?',
    '我们必须使用它吗\uFF1F',
    'Can you explain why the build is so slow',
    'Hello everyone!',
    'Good morning Bob.',
    '你好\uFF01',
    'Thanks for fixing the parser bug yesterday.',
    'Thank you so much!',
    '谢谢你的帮助。',
    'Sounds good.',
    'Maybe the cache is too small for this.',
  ])('neither profile keeps: %s', async (text) => {
    expect(await textsIn(text)).toEqual([]);
    expect(await textsIn(text, 'conversation')).toEqual([]);
  });

  test('a greeting does not hide the statement after it', async () => {
    expect(await textsIn('Hi team, we decided to use pnpm.')).toEqual(['Hi team, we decided to use pnpm.']);
    expect(await textsIn('Thanks to the cache the latency dropped.')).toHaveLength(1);
  });

  test('an unticked check box is open work', async () => {
    expect(await statementsIn('- [ ] Write the runbook\n- [x] Update the docs of the gateway')).toEqual([
      ['working_note', 'Write the runbook'],
      ['fact', 'Update the docs of the gateway'],
    ]);
  });
});

describe('spec 20 X5: limits', () => {
  test('at most 200 entries of one Source, equal ones counted once', async () => {
    const items = Array.from(
      { length: 300 },
      (_, index) => `- Never do number ${index}\n- Never do number 0`,
    );
    const { proposals, leftOut } = await extractionOf([items.join('\n')]);
    expect(proposals).toHaveLength(200);
    expect(proposals.at(-1)?.text).toBe('Never do number 199');
    expect(leftOut).toEqual([{ position: 1, reason: 'limit', count: 100 }]);
  });

  test('spec 25 Q14: a unit over 2000 bytes is cut behind a word', async () => {
    const long = `We decided on ${'alpha bravo charlie delta '.repeat(90)}end.`;
    const { proposals, leftOut } = await extractionOf([long]);
    expect(proposals).toHaveLength(1);
    const { text = '', kind, evidence } = proposals[0] ?? {};
    expect(kind).toBe('decision');
    expect(text).toMatch(/^We decided on alpha .* (?:alpha|bravo|charlie|delta)…$/);
    expect(utf8Length(text)).toBeGreaterThan(1_950);
    expect(utf8Length(text)).toBeLessThanOrEqual(2_000);
    expect(evidence).toEqual([{ name: 'content', source_id: 'source-1' }]);
    expect(leftOut).toEqual([{ position: 1, reason: 'too_long', count: 1 }]);
  });

  test('spec 25 Q14: CJK text is cut behind a character, and a statement at the limit is whole', async () => {
    const [text = ''] = await textsIn(`必须${'记'.repeat(1_000)}。`);
    expect(text).toMatch(/^必须记+…$/);
    expect(utf8Length(text)).toBeGreaterThan(1_990);
    const whole = `we must ${'é '.repeat(663)}x`;
    expect(await textsIn(whole)).toEqual([whole]);
  });

  test('an encoded file is no statement', async () => {
    expect(await textsIn('x'.repeat(5_000))).toEqual([]);
  });
});

// Pieces that the rules look at, so that random texts meet them.
const PIECES = [
  'We decided to use pnpm',
  'must',
  'never',
  '必须',
  '。',
  '\uFF1F',
  '. ',
  '! ',
  '? ',
  ', ',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '# ',
  '> ',
  '```\n',
  '~~~\n',
  'Alice: ',
  'e\u0301',
  '\uFEFF',
  '\u3000',
  '😀',
  '[10:00:00] ',
  '    at a (b:1:2)\n',
  'password = x',
  '| a |',
  'https://x.y/z ',
  '"',
  '**',
  'Traceback (most recent call last):\n',
  '-----BEGIN A-----',
  'x'.repeat(300),
  '记'.repeat(300),
];
const anySource = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme' })), { maxLength: 60 })
    .map((parts) => parts.join('')),
  fc.json().map((json) => JSON.parse(json)),
);

test('spec 20 X5: the same Sources give the same proposals; every text is in its normal form and within its limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySource, { maxLength: 4 }),
      fc.constantFrom('coding', 'conversation'),
      async (contents, profile) => {
        const proposals = await proposalsFrom(contents, profile);
        expect(await proposalsFrom(structuredClone(contents), profile)).toEqual(proposals);
        expect(mergeProposals(proposals)).toEqual(proposals);
        for (const { op, text, evidence } of proposals) {
          expect(op).toBe('add');
          expect(text).toBe(
            text.normalize('NFC').replace(/^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu, ''),
          );
          expect(text).not.toBe('');
          expect(utf8Length(text)).toBeLessThanOrEqual(8192);
          expect(text).not.toContain('\0');
          expect(evidence.length).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  'a',
  'A',
  ' ',
  '\n',
  '.',
  '?',
  '(',
  '[',
  '{',
  '"',
  '`',
  '*',
  '-',
  '=',
  '|',
  '>',
  ':',
  '记',
  '\u0323\u0301',
  '- a\n',
  'a. ',
  'J. ',
  '|--',
  '```\n',
  '-----BEGIN A KEY-----\n',
  'eyJaaaaaaaa-',
  'password: ',
  'password="',
  'http://a,',
  'a://b:c',
  '  at a:1:',
  'def a',
  'Alice:\n',
  '}  ',
])('spec 20 X5: a Source of 200,000 characters of %j takes no time', async (unit) => {
  const run = unit.repeat(Math.ceil(200_000 / unit.length)).slice(0, 200_000);
  // Linear takes some 30 ms; quadratic takes minutes.
  expect(await cpuTimeOf(() => proposalsFrom([`x ${run} x`]))).toBeLessThan(3000);
});
