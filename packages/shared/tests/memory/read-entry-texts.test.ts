import { expect, test } from 'vitest';
import { readEntryTexts } from '../../src/memory/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { rememberFact, rememberFacts } from '../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('entry-texts', 2);
const place = { tenantId, scopeId: 'evidence' };

const textsAt = async (revision: number) => {
  const memory = { family: 'memory', artifact_id: 'memory', revision } as const;
  const { texts, isTruncated } = await readEntryTexts(database.sql, place, memory);
  return { count: texts.length, first: texts[0], last: texts.at(-1), isTruncated };
};

test('spec 40 §2.2: the newest 500 entries of a Memory revision are evidence', async () => {
  await rememberFacts(
    database,
    place,
    Array.from({ length: 499 }, (_, index) => `Fact ${index + 1}.`),
  );
  await rememberFact(database, place, 'Fact 500.');
  await rememberFact(database, place, 'Fact 501.');
  expect(await textsAt(2)).toEqual({
    count: 500,
    first: 'Fact 1.',
    last: 'Fact 500.',
    isTruncated: false,
  });
  expect(await textsAt(3)).toEqual({ count: 500, first: 'Fact 2.', last: 'Fact 501.', isTruncated: true });
});
