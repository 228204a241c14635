import { afterAll, test } from 'vitest';
import { families } from '../../src/families/index.ts';
import { approveCandidate } from '../../src/review/decide.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { decideSkill, PackageThreads, proposedSkill } from '../../src/skills/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { expectNoAnalysis } from '../support/expect-no-analysis.ts';
import { longInstructions } from '../support/long-texts.ts';
import { addCandidate } from '../support/review.ts';

const { database, tenantId } = await openOwnDatabase('approve-long-skill');
const packageThreads = new PackageThreads();
const scopeId = 'long';

afterAll(() => packageThreads.close());

test('an approval analyzes a long Skill before its transaction, in which it locks the Scope', async () => {
  const place = { tenantId, scopeKey: await ensureScope(database.sql, tenantId, scopeId) };
  await expectNoAnalysis(database, [longInstructions], 0.5, async (measured, round) => {
    const fields = {
      name: `long-${round}`,
      description: 'A Skill.',
      instructions: longInstructions,
      validation: [],
    };
    const skill = await decideSkill(database, place, fields, 'proposal');
    const { candidate_id: candidateId } = await addCandidate(database, place, {
      proposed: proposedSkill(skill),
    });
    const address = { tenantId, scopeId, candidateId };
    const decision = { address, expectedVersion: 1, actor: null, at: new Date() };
    await approveCandidate({ database: measured, packageThreads, families }, decision);
  });
});
