import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  boundedId,
  cutOwnContext,
  maxPartCharacters,
  replaceUnstorable,
  type SourceToCapture,
  splitText,
  type TurnText,
  toStorableText,
  turnSources,
  versionedId,
} from '../src/turns/index.ts';

/** Shared with every program that stores turns. */
const vectors = JSON.parse(readFileSync(new URL('../vectors/turns.json', import.meta.url), 'utf8')) as {
  storable_text: { text: string; storable: string; replaced: number }[];
  own_context: { text: string; rest: string; blocks: number }[];
  turns: { turn: TurnText; sources: SourceToCapture[] | string }[];
  ids: { base: string; suffix: string; id: string }[];
};

test.each(vectors.storable_text)('spec 70 §2.3: characters of %j', ({ text, storable, replaced }) => {
  expect(replaceUnstorable(text)).toEqual({ text: storable, replaced });
  expect(toStorableText(text)).toBe(storable);
});

test.each(vectors.own_context)('spec 70 §2.5: own context in %j', ({ text, rest, blocks }) => {
  expect(cutOwnContext(text)).toEqual({ text: rest, blocks });
});

test.each(vectors.turns)('spec 70 §2: Sources of the turn %j', async ({ turn, sources }) => {
  expect(await turnSources(turn, 'standard')).toEqual(sources);
});

test.each(vectors.ids)('spec 70 §2.1: id of $base and $suffix', async ({ base, suffix, id }) => {
  expect(await boundedId(base, suffix)).toBe(id);
  expect([...id].length).toBeLessThanOrEqual(256);
});

test('spec 70 §2.2: further Sources of one id', async () => {
  expect(await versionedId('a/b', 1)).toBe('a/b');
  expect(await versionedId('a/b', 2)).toBe('a/b~2');
  expect(await versionedId('a/b/part-3', 99)).toBe('a/b/part-3~99');
});

describe('spec 70 §2.3: parts', () => {
  test('a text of 450,000 characters has three parts, each split after a line break', () => {
    const text = `${'漢字\n'.repeat(150_000)}`;
    const { parts, omittedCharacters } = splitText(text);
    expect(parts).toHaveLength(3);
    expect(omittedCharacters).toBe(0);
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(part.endsWith('\n')).toBe(true);
  });

  test('a text without a line break is cut between characters, and what is beyond 16 parts is counted', () => {
    const text = '😀'.repeat(16 * maxPartCharacters + 5);
    const { parts, omittedCharacters } = splitText(text);
    expect(parts).toHaveLength(16);
    expect(omittedCharacters).toBe(5);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(parts.join('').length).toBe(2 * 16 * maxPartCharacters);
  });

  test.each(['a', 'a\n', '\n\na', '😀\r\n', 'long line without an end '])(
    '%j, repeated, is kept whole',
    (piece) => {
      for (const times of [1, 8_000, 70_000]) {
        const whole = `begin ${piece.repeat(times)}`;
        const { parts, omittedCharacters } = splitText(whole);
        expect([parts.join(''), omittedCharacters]).toEqual([whole, 0]);
        for (const part of parts) expect([...part].length).toBeLessThanOrEqual(maxPartCharacters);
      }
    },
  );
});

test('spec 70 §2.4: off changes nothing, strict redacts long random strings too', async () => {
  const text = 'Id q8Zt3LwXv0RkB7yNfM2sHc5PdJ9aGe4U and password = hunter2hunter2.';
  const contentAt = async (level: 'standard' | 'strict' | 'off') => {
    const sources = await turnSources(
      { role: 'prompt', host: 'codex', session: 's', turn: '1', text, directory: null, occurredAt: null },
      level,
    );
    return typeof sources === 'string' ? sources : sources[0]?.content;
  };
  expect(await contentAt('off')).toBe(text);
  expect(await contentAt('standard')).toBe(text.replace('hunter2hunter2', '[redacted]'));
  expect(await contentAt('strict')).not.toContain('q8Zt3L');
});
