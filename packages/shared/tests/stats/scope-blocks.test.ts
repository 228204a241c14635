import { expect, test } from 'vitest';
import { ScopeBlocks } from '../../src/stats/scope-blocks.ts';
import { TextStore } from '../../src/stats/text-store.ts';
import { writeFrame } from '../../src/stats/write-answer.ts';

const out = new TextStore();

function textOf(text: string) {
  out.text(text);
  return out.end();
}

async function blocksOf(count: number, text: string): Promise<ScopeBlocks> {
  const scopes = Array.from({ length: count }, (_, n) => ({ scopeId: String(n), scopeKey: n }));
  const part = { whole: textOf(''), of: () => textOf(text) };
  return await ScopeBlocks.of(writeFrame({ mode: 'all' }, scopes), [part]);
}

const told = ({ blocks }: ScopeBlocks) => String(Buffer.concat(blocks));

test('no Scopes are told as none', async () => {
  expect(told(await blocksOf(0, ''))).toBe(',"by_scope":[]}');
});

/** Turns that others get until a promise is settled. */
async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

test('others get a turn while many Scopes are replaced, and need not wait for one', async () => {
  const before = '.'.repeat(50_000);
  const blocks = await blocksOf(100, before);
  const changed = (count: number) => [
    new Map(Array.from({ length: count }, (_, n) => [n, textOf(`after ${n}`)])),
  ];
  expect(await turnsUntil(blocks.with(changed(1)))).toBe(0);
  const all = blocks.with(changed(100));
  expect(await turnsUntil(all)).toBeGreaterThan(2);
  const { by_scope } = JSON.parse(`{"x":0${told(await all).replaceAll(/after (\d+)/g, '"n":$1')}`);
  expect(by_scope.at(-1)).toEqual({ scope_id: '99', n: 99 });
  expect(by_scope).toHaveLength(100);
});
