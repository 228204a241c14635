import type { CreateRequest } from '@continuity/contract/artifacts';
import { runInSlices } from '@continuity/shared/kernel';
import { cpuTimeOf, leastCpuTimeOf } from '@continuity/testing';
import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { publishArtifact } from '../../src/artifacts/publish.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { projectTexts } from '../../src/search/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { longInstructions } from '../support/long-instructions.ts';
import { measureTransactions } from '../support/measure-transactions.ts';

// These operations lock the Scope in their transaction, so its other writers wait.

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

const texts = Array.from({ length: 10 }, (_, index) => hanzi(index + 1, 2_700));

const memory = (): CreateRequest => ({
  family: 'memory',
  content: { entries: texts.map((text) => ({ kind: 'fact', text })) },
});

const skill = (name: string): CreateRequest => ({
  family: 'skill',
  content: { name, description: 'A Skill.', instructions: longInstructions, validation: [] },
});

const experience = (): CreateRequest => {
  const [situation = '', action = '', outcome = '', lesson = ''] = texts;
  return { family: 'experience', content: { situation, action, outcome, lesson } };
};

const analyze = (analyzed: readonly string[]) => runInSlices(projectTexts({ tenantId, scopeId }, analyzed));

/** Expects the transactions of an operation to take less processor time than this share of an analysis of the texts. */
async function expectNoAnalysis(
  analyzed: readonly string[],
  share: number,
  run: (measured: typeof database, round: number) => Promise<unknown>,
): Promise<void> {
  const spent: number[] = [];
  const analysis: number[] = [];
  // The minimum excludes code loading and garbage collection.
  for (let round = 0; round < 4; round += 1) {
    const { measured, spentMs } = measureTransactions(database);
    await run(measured, round);
    spent.push(spentMs());
    analysis.push(await cpuTimeOf(() => analyze(analyzed)));
  }
  expect(Math.min(...spent)).toBeLessThan(share * Math.min(...analysis));
}

test.each([
  // Writing the rows of ten entries takes two thirds of the time of their analysis.
  ['a Memory', texts, 1, memory],
  ['an Experience', texts.slice(0, 4), 0.5, experience],
  ['a Skill', [longInstructions], 0.5, (round: number) => skill(`new-${round}`)],
])(
  'a Create of %s with long texts analyzes them before its transaction',
  async (_what, analyzed, share, bodyOf) => {
    await expectNoAnalysis(analyzed, share, (measured, round) =>
      createArtifact(measured, { tenantId, scopeId, idempotencyKey: undefined, body: bodyOf(round) }),
    );
  },
);

test.each([
  ['a Skill', [longInstructions], skill('published')],
  ['an Experience', texts.slice(0, 4), experience()],
] as const)(
  'a publication of %s with long texts analyzes them before its transaction',
  async (_what, analyzed, body) => {
    await ensureScope(database.sql, tenantId, 'target');
    const created = await createArtifact(database, {
      tenantId,
      scopeId,
      idempotencyKey: undefined,
      body,
    });
    const artifact = { family: body.family, artifact_id: created.body.artifact_id, revision: 1 };
    await expectNoAnalysis(analyzed, 0.5, (measured, round) =>
      publishArtifact(measured, tenantId, {
        source: { scope_id: scopeId, artifact },
        target_scope_id: 'target',
        idempotency_key: `${body.family} ${round}`,
      }),
    );
  },
);

test('a repeat of a Create with its Idempotency-Key analyzes nothing', async () => {
  const create = () =>
    createArtifact(database, { tenantId, scopeId, idempotencyKey: 'long', body: memory() });
  const created = await create();
  const repeatMs = await leastCpuTimeOf(async () => expect(await create()).toEqual(created), 3);
  const analysisMs = await leastCpuTimeOf(() => analyze(texts), 3);
  expect(repeatMs).toBeLessThan(analysisMs / 2);
});
