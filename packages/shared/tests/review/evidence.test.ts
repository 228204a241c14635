import { ensureTenant } from '@continuity/shared/tenants';
import { describe, expect, test } from 'vitest';
import { families } from '../../src/families/index.ts';
import { checkEvidence, distinctEvidence } from '../../src/review/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { evidenceOf, evidenceWriter } from '../support/review.ts';

const { database, tenantId } = await openOwnDatabase('review-evidence', 4);
const scopeId = 'here';
const place = { tenantId, scopeId };
const here = evidenceWriter(database, tenantId, scopeId);

const sourcesNamed = (...ids: string[]) => ids.map((source_id) => ({ name: 'content', source_id }));
const numbered = (count: number) => sourcesNamed(...Array.from({ length: count }, (_, n) => `s${n}`));
const artifact = { family: 'memory', artifact_id: 'memory', revision: 1 };

/** Code and details of the error that a check throws. */
async function failure(check: () => unknown): Promise<unknown> {
  try {
    await check();
    return undefined;
  } catch (error) {
    const { code, details } = error as { code: string; details: object };
    return { code, ...details };
  }
}

describe('spec 40 §1.1.1: duplicates are dropped before references are counted', () => {
  test('the first one stays, and the order', () => {
    const evidence = { source_refs: sourcesNamed('b', 'a', 'b'), artifact_refs: [artifact, artifact] };
    expect(distinctEvidence(evidence)).toEqual({
      source_refs: sourcesNamed('b', 'a'),
      artifact_refs: [artifact],
    });
  });

  test.each([
    ['no reference', [], []],
    ['32 Sources and an Artifact', numbered(32), [artifact]],
  ])('%s is 422 at source_refs', async (_what, source_refs, artifact_refs) => {
    expect(await failure(() => distinctEvidence({ source_refs, artifact_refs }))).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'source_refs' }],
    });
  });

  test('31 Sources, one of them twice, and an Artifact are 32 references', () => {
    const source_refs = [...numbered(31), ...numbered(1)];
    expect(distinctEvidence({ source_refs, artifact_refs: [artifact] }).source_refs).toEqual(numbered(31));
  });
});

describe('spec 40 §1.1.2: each reference exists in the Scope', () => {
  const check = (more: Parameters<typeof evidenceOf>[0]) =>
    failure(() => checkEvidence(database, place, families.experience.candidates, evidenceOf(more)));

  test('missing, of another Scope, of another tenant and of an unknown type look alike', async () => {
    const other = await ensureTenant(database, 'other');
    await here.source('known');
    await evidenceWriter(database, tenantId, 'elsewhere').source('elsewhere');
    await evidenceWriter(database, other, scopeId).source('foreign');
    const unknown = [
      ...sourcesNamed('missing', 'elsewhere', 'foreign'),
      { name: 'no-type', source_id: 'known' },
    ];
    for (const ref of unknown) {
      expect(await check({ source_refs: [...sourcesNamed('known'), ref] })).toEqual({
        code: 'invalid_request',
        issues: [{ path: 'source_refs[1]', message: 'must exist in this Scope' }],
      });
    }
    const refs = [
      { family: 'memory', artifact_id: 'memory', revision: 1 },
      { family: 'no-family', artifact_id: 'memory', revision: 1 },
      { ...(await evidenceWriter(database, tenantId, 'elsewhere').experience()) },
      { ...(await here.experience()), revision: 2 },
      { ...(await here.experience()), revision: Number.MAX_SAFE_INTEGER },
    ];
    for (const ref of refs) {
      expect(await check({ artifact_refs: [ref] })).toEqual({
        code: 'invalid_request',
        issues: [{ path: 'artifact_refs[0]', message: 'must exist in this Scope' }],
      });
    }
  });

  test('each missing one has an issue at its place as sent', async () => {
    await here.source('known');
    const source_refs = sourcesNamed('known', 'known', 'one', 'known', 'two', 'one');
    expect(await check({ source_refs })).toMatchObject({
      issues: [{ path: 'source_refs[2]' }, { path: 'source_refs[4]' }],
    });
  });

  test('a missing one comes before a lineage-only Source, and of those the first is named', async () => {
    const [first, second] = [await here.lineageSource(), await here.lineageSource()];
    expect(await check({ source_refs: [second, first] })).toEqual({
      code: 'source_not_eligible',
      source_ref: second,
    });
    expect(await check({ source_refs: [first, ...sourcesNamed('missing')] })).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'source_refs[1]' }],
    });
  });

  test('spec 40 §1.1.3: an old revision may be evidence', async () => {
    const ref = await here.experience();
    await database.prisma.artifact.updateMany({
      where: { tenantId, artifactId: ref.artifact_id },
      data: { headRevision: 2 },
    });
    expect(await check({ artifact_refs: [ref] })).toBeUndefined();
  });
});

describe('spec 40 §1.1.4: the target', () => {
  test('has the Family of the operation, and is one of artifact_refs', async () => {
    const [lesson, skill] = [await here.experience(), await here.skill()];
    const wrong = [
      evidenceOf({ artifact_refs: [skill], target: skill }),
      evidenceOf({ artifact_refs: [skill], target: lesson }),
      evidenceOf({ artifact_refs: [lesson], target: { ...lesson, revision: 2 } }),
    ];
    for (const evidence of wrong) {
      expect(
        await failure(() => checkEvidence(database, place, families.experience.candidates, evidence)),
      ).toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'target' }],
      });
    }
    const right = evidenceOf({ artifact_refs: [skill, lesson], target: lesson });
    expect(
      await failure(() => checkEvidence(database, place, families.experience.candidates, right)),
    ).toBeUndefined();
  });

  test('is the head', async () => {
    const ref = await here.experience();
    await database.prisma.artifact.updateMany({
      where: { tenantId, artifactId: ref.artifact_id },
      data: { headRevision: 3 },
    });
    const evidence = evidenceOf({ artifact_refs: [ref], target: ref });
    expect(
      await failure(() => checkEvidence(database, place, families.experience.candidates, evidence)),
    ).toEqual({
      code: 'artifact_conflict',
      target: ref,
      current: { ...ref, revision: 3 },
    });
  });

  test('is no retired Skill; a stale one is a conflict of the Artifact first', async () => {
    const ref = await here.skill();
    const where = { tenantId, artifactId: ref.artifact_id };
    const { artifactKey } = await database.prisma.artifact.findFirstOrThrow({ where });
    const setState = (lifecycleState: string) =>
      database.prisma.managedSkill.updateMany({ where: { tenantId, artifactKey }, data: { lifecycleState } });
    const evidence = evidenceOf({ artifact_refs: [ref], target: ref });
    const check = () => failure(() => checkEvidence(database, place, families.skill.candidates, evidence));
    await setState('deprecated');
    expect(await check()).toBeUndefined();
    await setState('retired');
    expect(await check()).toEqual({ code: 'governance_conflict', lifecycle_state: 'retired' });
    await database.prisma.artifact.updateMany({ where, data: { headRevision: 2 } });
    expect(await check()).toMatchObject({ code: 'artifact_conflict' });
  });
});
