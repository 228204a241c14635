import { expect, test, vi } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { families } from '../../src/families/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { chineseTexts } from '../support/long-texts.ts';

const { database, tenantId } = await openOwnDatabase('create-memory', 2);

test('a Create of long Chinese texts analyzes them before its transaction, and a repeat not at all', async () => {
  const entries = chineseTexts.map((text) => ({ kind: 'fact', text }));
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
  const decide = families.memory.artifacts.create;
  vi.spyOn(families.memory.artifacts, 'create').mockImplementation(async (...input) => {
    openDuringAnalysis.push(openTransactions);
    return await decide(...input);
  });
  const create = () =>
    createArtifact(
      { database: watched, families },
      {
        tenantId,
        scopeId: 'chinese',
        idempotencyKey: 'long',
        body: { family: 'memory', content: { entries } },
      },
    );
  const created = await create();
  expect(openDuringAnalysis).toEqual([0]);
  expect(await create()).toEqual(created);
  expect(openDuringAnalysis).toEqual([0]);
});
