import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
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

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** This database, which adds up the processor time of this thread while a transaction is open. */
function watchTransactions() {
  const watch = { ms: 0 };
  const watched: typeof database = {
    ...database,
    prismaTransaction: async (work) => {
      const start = processorMs();
      try {
        return await database.prismaTransaction(work);
      } finally {
        watch.ms += processorMs() - start;
      }
    },
  };
  return { watched, watch };
}

test('a Create of long Chinese texts analyzes them before its transaction, and a repeat not at all', async () => {
  const entries = Array.from({ length: 10 }, (_, index) => ({ kind: 'fact', text: hanzi(index + 1) }));
  const { watched, watch } = watchTransactions();
  const create = () =>
    createArtifact(watched, {
      tenantId,
      scopeId: 'chinese',
      idempotencyKey: 'long',
      body: { family: 'memory', content: { entries } },
    });
  const start = processorMs();
  const created = await create();
  const total = processorMs() - start;
  expect(watch.ms).toBeLessThan(total / 2);
  const repeated = processorMs();
  expect(await create()).toEqual(created);
  expect(processorMs() - repeated).toBeLessThan(total / 2);
});
