import type { CreateRequest } from '@continuity/contract/artifacts';
import { test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { publishArtifact } from '../../src/artifacts/publish.ts';
import { families } from '../../src/families/index.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { expectNoAnalysis } from '../support/expect-no-analysis.ts';
import { chineseTexts, longInstructions } from '../support/long-texts.ts';

// These operations lock the Scope in their transaction, so its other writers wait.

const { database, tenantId } = await openOwnDatabase('long-texts', 2);
const scopeId = 'long';

const memory = (): CreateRequest => ({
  family: 'memory',
  content: { entries: chineseTexts.map((text) => ({ kind: 'fact', text })) },
});

const skill = (name: string): CreateRequest => ({
  family: 'skill',
  content: { name, description: 'A Skill.', instructions: longInstructions, validation: [] },
});

const experience = (): CreateRequest => {
  const [situation = '', action = '', outcome = '', lesson = ''] = chineseTexts;
  return { family: 'experience', content: { situation, action, outcome, lesson } };
};

test.each([
  // Writing the rows of ten entries takes two thirds of the time of their analysis.
  ['a Memory', chineseTexts, 1, memory],
  ['an Experience', chineseTexts.slice(0, 4), 0.5, experience],
  ['a Skill', [longInstructions], 0.5, (round: number) => skill(`new-${round}`)],
])(
  'a Create of %s with long texts analyzes them before its transaction',
  async (_what, analyzed, share, bodyOf) => {
    await expectNoAnalysis(database, analyzed, share, (measured, round) =>
      createArtifact(
        { database: measured, families },
        { tenantId, scopeId, idempotencyKey: undefined, body: bodyOf(round) },
      ),
    );
  },
);

test.each([
  ['a Skill', [longInstructions], skill('published')],
  ['an Experience', chineseTexts.slice(0, 4), experience()],
] as const)(
  'a publication of %s with long texts analyzes them before its transaction',
  async (_what, analyzed, body) => {
    await ensureScope(database.sql, tenantId, 'target');
    const created = await createArtifact(
      { database, families },
      {
        tenantId,
        scopeId,
        idempotencyKey: undefined,
        body,
      },
    );
    const artifact = { family: body.family, artifact_id: created.body.artifact_id, revision: 1 };
    await expectNoAnalysis(database, analyzed, 0.5, (measured, round) =>
      publishArtifact({ database: measured, families }, tenantId, {
        source: { scope_id: scopeId, artifact },
        target_scope_id: 'target',
        idempotency_key: `${body.family} ${round}`,
      }),
    );
  },
);
