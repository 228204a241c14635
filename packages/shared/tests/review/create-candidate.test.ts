import type { ScopeKey, TenantId } from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { digestBytes } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { beforeAll, expect, test } from 'vitest';
import { findCandidate, findPendingOfWork, findVersion } from '../../src/review/index.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { decideSkill, proposedSkill } from '../../src/skills/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { addCandidate, content, evidenceOf } from '../support/review.ts';

const { database, tenantId } = await openOwnDatabase('create-candidate', 12);
const scopeId = 'here';
let place: { tenantId: TenantId; scopeKey: ScopeKey };

beforeAll(async () => {
  place = { tenantId, scopeKey: await ensureScope(database.sql, tenantId, scopeId) };
});

const countsOf = async (scopeKey: ScopeKey) =>
  (await database.prisma.candidateCount.findMany({ where: { tenantId, scopeKey } })).map(
    ({ family, status, origin, candidates }) => [family, status, origin, candidates],
  );

const skillFields = {
  name: 'hello',
  description: 'Say hello.',
  instructions: 'Say hello.',
  validation: ['It greets.'],
};

test('version 1 is read back as it was written', async () => {
  const evidence = evidenceOf({
    source_refs: [{ name: 'content', source_id: 'a' }],
    artifact_refs: [{ family: 'experience', artifact_id: 'x', revision: 2 }],
    target: { family: 'experience', artifact_id: 'x', revision: 2 },
    reason: 'Seen twice.',
  });
  const created = await addCandidate(database, place, { evidence, actor: { label: 'ci' } });
  expect(created).toMatchObject({
    version: 1,
    family: 'experience',
    status: 'pending',
    proposal: content,
    ...evidence,
    result_artifact: null,
    decision_reason: null,
  });
  const address = { tenantId, scopeId, candidateId: created.candidate_id };
  expect(await findCandidate(database, address)).toMatchObject({ ...place, candidate: created });
  expect(await findVersion(database, address, 1)).toMatchObject({ ...place, candidate: created });
  expect(await findVersion(database, address, 2)).toBeUndefined();
  expect(await findCandidate(database, { ...address, scopeId: 'elsewhere' })).toBeUndefined();
  expect(await findCandidate(database, { ...address, candidateId: 'x' })).toBeUndefined();
  expect(await findCandidate(database, { ...address, candidateId: newId() })).toBeUndefined();
});

test('a Skill is stored with its package, and shows what the package says', async () => {
  const skill = await decideSkill(database, place, skillFields, 'proposal');
  const created = await addCandidate(database, place, { proposed: proposedSkill(skill) });
  expect(created.proposal).toEqual(skill.content);
  const where = { tenantId, candidateId: created.candidate_id };
  const row = await database.prisma.candidate.findFirstOrThrow({ where });
  expect(row).toMatchObject({ title: 'hello', package: skill.package.ref, executableCount: 0 });
  const treeDigest = Buffer.from(skill.package.ref.tree_digest, 'hex');
  expect(await database.prisma.skillPackage.count({ where: { ...place, treeDigest } })).toBe(1);
});

test('one of ten equal generations has its Candidate, until somebody revises or decides it', async () => {
  const workKey = digestBytes(['work', 1]);
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => addCandidate(database, place, { origin: 'generated', workKey })),
  );
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = results.filter(
    (result) => result.status === 'rejected' && isUniqueViolation(result.reason, 'candidates_work_key'),
  );
  expect([made.length, refused.length]).toEqual([1, 9]);
  expect(await findPendingOfWork(database, tenantId, workKey)).toEqual(made[0]);
  await database.prisma.candidate.updateMany({
    where: { tenantId, candidateId: made[0]?.candidate_id ?? '' },
    data: { version: 2 },
  });
  expect(await findPendingOfWork(database, tenantId, workKey)).toBeUndefined();
  await addCandidate(database, place, { origin: 'generated', workKey });
});

test('counters follow concurrent writers, and a write that fails changes none', async () => {
  const scopeKey = await ensureScope(database.sql, tenantId, 'counted');
  const own = { tenantId, scopeKey };
  await Promise.all(Array.from({ length: 20 }, () => addCandidate(database, own)));
  await addCandidate(database, own, { origin: 'incubated' });
  const candidateId = newId();
  await addCandidate(database, own, { candidateId, origin: 'incubated' });
  await expect(addCandidate(database, own, { candidateId, origin: 'incubated' })).rejects.toThrow();
  expect((await countsOf(scopeKey)).sort()).toEqual([
    ['experience', 'pending', 'incubated', 2],
    ['experience', 'pending', 'proposed', 20],
  ]);
});
