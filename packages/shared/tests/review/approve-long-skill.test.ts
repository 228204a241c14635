import { runInSlices } from '@continuity/shared/kernel';
import { cpuTimeOf } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { approveCandidate } from '../../src/review/approve.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { projectTexts } from '../../src/search/index.ts';
import { decideSkill, PackageThreads } from '../../src/skills/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { longInstructions } from '../support/long-instructions.ts';
import { measureTransactions } from '../support/measure-transactions.ts';
import { addCandidate } from '../support/review.ts';

const { database, tenantId } = await openOwnDatabase('approve-long-skill');
const packageThreads = new PackageThreads();
const scopeId = 'long';

afterAll(() => packageThreads.close());

/** Approves a new Skill with these instructions. Returns the processor time of its transaction, in milliseconds. */
async function approve(name: string, instructions: string): Promise<number> {
  const place = { tenantId, scopeKey: await ensureScope(database.sql, tenantId, scopeId) };
  const fields = { name, description: 'A Skill.', instructions, validation: [] };
  const skill = await decideSkill(database, place, fields, 'proposal');
  const { candidate_id: candidateId } = await addCandidate(database, place, {
    proposed: { family: 'skill', skill },
  });
  const { measured, spentMs } = measureTransactions(database);
  const address = { tenantId, scopeId, candidateId };
  const decision = { address, expectedVersion: 1, actor: null, at: new Date() };
  await approveCandidate({ database: measured, packageThreads }, decision);
  return spentMs();
}

test('an approval analyzes a long Skill before its transaction, in which it locks the Scope', async () => {
  // The first approval loads code.
  await approve('short', 'Say hello.');
  const spentMs: number[] = [];
  const analysisMs: number[] = [];
  // The minimum excludes garbage collection, which takes as long as the analysis.
  for (const name of ['long-1', 'long-2', 'long-3']) {
    spentMs.push(await approve(name, longInstructions));
    analysisMs.push(
      await cpuTimeOf(() => runInSlices(projectTexts({ tenantId, scopeId }, [longInstructions]))),
    );
  }
  expect(Math.min(...spentMs)).toBeLessThan(Math.min(...analysisMs) / 2);
});
