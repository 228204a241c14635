import { expect, test, vi } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { memoryFamily } from '../../src/artifacts/families/memory.ts';
import { analyzeEntries } from '../../src/memory/index.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('create-memory', 2);

/** Chinese text of 8 KiB, whose pairs of characters hardly repeat. */
function hanzi(seed: number): string {
  let state = seed;
  return Array.from({ length: 2_700 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return String.fromCharCode(0x4e00 + ((state >> 8) % 20_000));
  }).join('');
}

test('a Create of long Chinese texts analyzes them before its transaction, and a repeat not at all', async () => {
  const entries = Array.from({ length: 10 }, (_, index) => ({ kind: 'fact', text: hanzi(index + 1) }));
  let openTransactions = 0;
  const watched: typeof database = {
    ...database,
    prismaTransaction: async (work) => {
      openTransactions += 1;
      try {
        return await database.prismaTransaction(work);
      } finally {
        openTransactions -= 1;
      }
    },
  };
  const openDuringAnalysis: number[] = [];
  vi.spyOn(memoryFamily, 'analyze').mockImplementation(async (...input) => {
    openDuringAnalysis.push(openTransactions);
    return await analyzeEntries(...input);
  });
  const create = () =>
    createArtifact(watched, {
      tenantId,
      scopeId: 'chinese',
      idempotencyKey: 'long',
      body: { family: 'memory', content: { entries } },
    });
  const created = await create();
  expect(openDuringAnalysis).toEqual([0]);
  expect(await create()).toEqual(created);
  expect(openDuringAnalysis).toEqual([0]);
});
