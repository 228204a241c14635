import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { publishArtifact } from '../../src/artifacts/publish.ts';
import { families } from '../../src/families/index.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { decideSkill } from '../../src/skills/index.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('decided-skill', 2);
const fields = { name: 'hello', description: 'Say hello.', instructions: 'Say hello.', validation: [] };
const idempotencyKey = undefined;

test('spec 10 §7: a Skill that is retired after its publication was decided is not published', async () => {
  await ensureScope(database.sql, tenantId, 'target');
  const body = { family: 'skill' as const, content: fields };
  const created = await createArtifact(
    { database, families },
    { tenantId, scopeId: 'source', idempotencyKey, body },
  );
  const retiring: typeof database = {
    ...database,
    prismaTransaction: async (work) => {
      await database.prisma.managedSkill.updateMany({
        where: { tenantId },
        data: { lifecycleState: 'retired' },
      });
      return await database.prismaTransaction(work);
    },
  };
  const artifact = { family: 'skill' as const, artifact_id: created.body.artifact_id, revision: 1 };
  const publication = publishArtifact({ database: retiring, families }, tenantId, {
    source: { scope_id: 'source', artifact },
    target_scope_id: 'target',
    idempotency_key: 'key',
  });
  await expect(publication).rejects.toMatchObject({ code: 'governance_conflict' });
  expect(await database.prisma.managedSkill.count({ where: { tenantId } })).toBe(1);
});

test('spec 10 §6.3: a Create that names a package in an unknown Scope is 422 and creates nothing', async () => {
  const { content } = await decideSkill(database, undefined, fields, 'content');
  const scopeId = 'unknown';
  const body = { family: 'skill' as const, content };
  const created = createArtifact({ database, families }, { tenantId, scopeId, idempotencyKey, body });
  const issues = [{ path: 'content.package', message: 'must be a package of this Scope' }];
  await expect(created).rejects.toMatchObject({ code: 'invalid_request', details: { issues } });
  expect(await database.prisma.scope.count({ where: { tenantId, scopeId } })).toBe(0);
});
