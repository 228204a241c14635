import type { CreateRequest } from '@continuity/contract/artifacts';
import { runInSlices } from '@continuity/shared/kernel';
import { cpuTimeOf } from '@continuity/testing';
import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { publishArtifact } from '../../src/artifacts/publish.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { projectTexts } from '../../src/search/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { measureTransactions } from '../support/measure-transactions.ts';

// A transaction of these operations locks the Scope, so that all of its other writers wait.

const { database, tenantId } = await openOwnDatabase('long-texts', 2);
const scopeId = 'long';

/** Chinese text whose pairs of characters hardly repeat. */
function hanzi(seed: number, length: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return String.fromCharCode(0x4e00 + ((state >> 8) % 20_000));
  }).join('');
}

const words = Array.from({ length: 18_000 }, (_, index) => `w${((index * 7_919) % 46_655).toString(36)}`);
const instructions = words.join(' ');
const texts = Array.from({ length: 10 }, (_, index) => hanzi(index + 1, 2_700));

const memory = (): CreateRequest => ({
  family: 'memory',
  content: { entries: texts.map((text) => ({ kind: 'fact', text })) },
});

const skill = (name: string): CreateRequest => ({
  family: 'skill',
  content: { name, description: 'A Skill.', instructions, validation: [] },
});

const experience = (): CreateRequest => {
  const [situation = '', action = '', outcome = '', lesson = ''] = texts;
  return { family: 'experience', content: { situation, action, outcome, lesson } };
};

const analysisOf = (analyzed: readonly string[]) =>
  cpuTimeOf(() => runInSlices(projectTexts({ tenantId, scopeId }, analyzed)));

/** Expects the transactions of an operation to take less processor time than this share of an analysis of the texts. */
async function expectNoAnalysis(
  analyzed: readonly string[],
  share: number,
  run: (measured: typeof database, round: number) => Promise<unknown>,
): Promise<void> {
  const spent: number[] = [];
  const analysis: number[] = [];
  // The first round loads code. The smallest of the others has no collection of garbage.
  for (let round = 0; round < 4; round += 1) {
    const { measured, spentMs } = measureTransactions(database);
    await run(measured, round);
    spent.push(spentMs());
    analysis.push(await analysisOf(analyzed));
  }
  expect(Math.min(...spent)).toBeLessThan(share * Math.min(...analysis));
}

test.each([
  // Writing the rows of ten entries takes two thirds of the time of their analysis.
  ['a Memory', texts, 1, memory],
  ['an Experience', texts.slice(0, 4), 0.5, experience],
  ['a Skill', [instructions], 0.5, (round: number) => skill(`new-${round}`)],
])(
  'a Create of %s with long texts analyzes them before its transaction',
  async (_what, analyzed, share, bodyOf) => {
    await expectNoAnalysis(analyzed, share, (measured, round) =>
      createArtifact(measured, { tenantId, scopeId, idempotencyKey: undefined, body: bodyOf(round) }),
    );
  },
);

test('a publication of a long Skill reads and analyzes it before its transaction', async () => {
  await ensureScope(database.sql, tenantId, 'target');
  const created = await createArtifact(database, {
    tenantId,
    scopeId,
    idempotencyKey: undefined,
    body: skill('published'),
  });
  const artifact = { family: 'skill' as const, artifact_id: created.body.artifact_id, revision: 1 };
  await expectNoAnalysis([instructions], 0.5, (measured, round) =>
    publishArtifact(measured, tenantId, {
      source: { scope_id: scopeId, artifact },
      target_scope_id: 'target',
      idempotency_key: `key ${round}`,
    }),
  );
});

test('a repeat of a Create with its Idempotency-Key analyzes nothing', async () => {
  const create = () =>
    createArtifact(database, { tenantId, scopeId, idempotencyKey: 'long', body: memory() });
  const created = await create();
  const repeats: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    repeats.push(await cpuTimeOf(async () => expect(await create()).toEqual(created)));
  }
  expect(Math.min(...repeats)).toBeLessThan((await analysisOf(texts)) / 2);
});
