import { openDatabase, type Sql, statement } from '@continuity/kernel/database';
import { fromDatabaseError, isUniqueViolation } from '@continuity/kernel/errors';
import { expect, test } from 'vitest';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('prisma', 5);

const addScope = statement(
  'test_add_scope',
  `INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, $2, 'title', 'summary')`,
);
const connectionId = statement('test_connection', 'SELECT pg_backend_pid() AS pid');
const endConnection = statement('test_end', 'SELECT pg_terminate_backend(pg_backend_pid())');
const scopeData = (scopeId: string) => ({ tenantId, scopeId, title: 'title', summary: 'summary' });
const scopesOf = (prefix: string) =>
  database.prisma.scope.count({ where: { tenantId, scopeId: { startsWith: prefix } } });

test('a statement and a Prisma query run on one connection', async () => {
  const [sqlId, prismaRows] = await database.prismaTransaction(async ({ sql, prisma }) => [
    await sql.first<{ pid: number }>(connectionId, []),
    await prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`,
  ]);
  expect(prismaRows).toEqual([sqlId]);
});

test('a statement and a Prisma write commit together, and see one another before', async () => {
  await database.prismaTransaction(async ({ sql, prisma }) => {
    await sql.rows(addScope, [tenantId, 'both-1']);
    expect(await prisma.scope.count({ where: { tenantId, scopeId: 'both-1' } })).toBe(1);
    expect(await scopesOf('both')).toBe(0);
    await prisma.scope.create({ data: scopeData('both-2') });
  });
  expect(await scopesOf('both')).toBe(2);
});

test('a statement and a Prisma write roll back together when the work fails', async () => {
  const work = database.prismaTransaction(async ({ sql, prisma }) => {
    await prisma.scope.create({ data: scopeData('none-1') });
    await sql.rows(addScope, [tenantId, 'none-2']);
    throw new Error('The work failed.');
  });
  await expect(work).rejects.toThrow('The work failed.');
  expect(await scopesOf('none')).toBe(0);
});

test('a failed write commits nothing, even if the work ignores the failure', async () => {
  await database.prisma.scope.create({ data: scopeData('taken') });
  const ignoring = database.prismaTransaction(async ({ sql, prisma }) => {
    await sql.rows(addScope, [tenantId, 'ignored']);
    await prisma.scope.create({ data: scopeData('taken') }).catch(() => undefined);
  });
  await expect(ignoring).rejects.toThrow('rolled back');
  const ignoringSql = database.transaction(async (sql) => {
    await sql.rows(addScope, [tenantId, 'ignored']);
    await sql.rows(addScope, [tenantId, 'taken']).catch(() => undefined);
  });
  await expect(ignoringSql).rejects.toThrow('rolled back');
  expect(await scopesOf('ignored')).toBe(0);
});

test('a failed write of many commits none of them', async () => {
  const work = database.prismaTransaction(async ({ sql, prisma }) => {
    await sql.rows(addScope, [tenantId, 'many-1']);
    await prisma.scope.createMany({ data: [scopeData('many-2'), scopeData('many-1')] });
  });
  await expect(work).rejects.toSatisfy((error) => isUniqueViolation(error, 'scopes_scope_id_key'));
  expect(await scopesOf('many')).toBe(0);
});

test('a statement may commit a Prisma transaction; nothing runs in it afterwards', async () => {
  const work = database.prismaTransaction(async ({ sql, prisma }) => {
    await prisma.scope.create({ data: scopeData('last-1') });
    await sql.commitWith(addScope, [tenantId, 'last-2']);
    await sql.rows(addScope, [tenantId, 'last-3']);
  });
  await expect(work).rejects.toThrow('has ended');
  expect(await scopesOf('last')).toBe(2);
});

test('a statement that the work did not wait for cannot run outside the transaction', async () => {
  const ended = Promise.withResolvers<void>();
  const { late } = await database.transaction(async (sql) => ({
    late: ended.promise.then(() => sql.rows(addScope, [tenantId, 'late'])),
  }));
  ended.resolve();
  await expect(late).rejects.toThrow('has ended');
  expect(await scopesOf('late')).toBe(0);
});

test('both answer the same numbers, bytes, JSON and times', async () => {
  const scope = await database.prisma.scope.create({ data: scopeData('types') });
  const large = Number.MAX_SAFE_INTEGER;
  const source = {
    tenantId,
    scopeKey: scope.scopeKey,
    position: large,
    sourceType: 'content',
    sourceId: 'types',
    content: '""',
    contentDigest: Buffer.from('ff00fe', 'hex'),
    eligible: true,
    createdAt: new Date('2026-11-20T10:11:12.345Z'),
  };
  const written = await database.prisma.source.create({ data: source });
  expect(written).toMatchObject(source);
  expect(Buffer.isBuffer(written.contentDigest)).toBe(true);
  const readSource = statement(
    'test_read_source',
    'SELECT scope_key, position, content_digest, created_at FROM sources WHERE tenant_id = $1 AND scope_key = $2',
  );
  const { scopeKey, position, contentDigest, createdAt } = written;
  expect(await database.sql.rows(readSource, [tenantId, scopeKey])).toEqual([
    { scope_key: scopeKey, position, content_digest: contentDigest, created_at: createdAt },
  ]);

  const day = await database.prisma.recallDay.create({
    data: { tenantId, scopeKey, day: new Date('2026-11-20'), estimator: 'e' },
  });
  const readDay = statement(
    'test_read_day',
    'SELECT day, preparations FROM recall_days WHERE tenant_id = $1',
  );
  expect(await database.sql.rows(readDay, [tenantId])).toEqual([{ day: day.day, preparations: 0 }]);

  const references = [{ title: 'Ticket', uri: 'https://tickets.example/1' }];
  await database.prisma.scope.update({
    where: { tenantId_scopeKey: { tenantId, scopeKey } },
    data: { externalReferences: references },
  });
  const readReferences = statement(
    'test_read_references',
    'SELECT external_references FROM scopes WHERE tenant_id = $1 AND scope_key = $2',
  );
  expect(await database.sql.rows(readReferences, [tenantId, scopeKey])).toEqual([
    { external_references: references },
  ]);
});

test('a number that is not exact as a number is refused', async () => {
  const { scopeKey } = await database.prisma.scope.create({ data: scopeData('beyond') });
  const source = await database.prisma.source.create({
    data: {
      tenantId,
      scopeKey,
      position: 2n ** 53n + 1n,
      sourceType: 'content',
      sourceId: 'beyond',
      content: '""',
      contentDigest: Buffer.alloc(0),
      eligible: true,
    },
  });
  expect(() => source.position).toThrow('2^53');
});

test('a unique violation is known by its constraint, by SQL and by Prisma', async () => {
  await database.prisma.scope.create({ data: scopeData('unique') });
  const failures = await Promise.allSettled([
    database.sql.rows(addScope, [tenantId, 'unique']),
    database.prisma.scope.create({ data: scopeData('unique') }),
    database.prismaTransaction(({ prisma }) => prisma.scope.create({ data: scopeData('unique') })),
  ]);
  for (const failure of failures) {
    const error = failure.status === 'rejected' ? failure.reason : undefined;
    expect(isUniqueViolation(error, 'scopes_scope_id_key')).toBe(true);
    expect(isUniqueViolation(error, 'tenants_name_key')).toBe(false);
  }
});

test('a deadlock between Prisma transactions is retried, and both commit', async () => {
  for (const scopeId of ['lock-1', 'lock-2'])
    await database.prisma.scope.create({ data: scopeData(scopeId) });
  let attempts = 0;
  let locked = 0;
  const bothLocked = Promise.withResolvers<void>();
  const rename = (scopeIds: string[]) =>
    database.prismaTransaction(async ({ prisma }) => {
      attempts += 1;
      for (const scopeId of scopeIds) {
        await prisma.scope.update({
          where: { tenantId_scopeId: { tenantId, scopeId } },
          data: { version: { increment: 1 } },
        });
        locked += 1;
        if (locked === 2) bothLocked.resolve();
        await bothLocked.promise;
      }
    });
  await Promise.all([rename(['lock-1', 'lock-2']), rename(['lock-2', 'lock-1'])]);
  expect(attempts).toBe(3);
  const scopes = await database.prisma.scope.findMany({
    where: { tenantId, scopeId: { startsWith: 'lock' } },
  });
  expect(scopes.map(({ version }) => version)).toEqual([3, 3]);
});

test('a connection that is lost in the middle commits nothing, and the next transaction gets another one', async () => {
  for (const _ of [1, 2, 3]) {
    const work = database.prismaTransaction(async ({ sql, prisma }) => {
      await prisma.scope.create({ data: scopeData('lost-1') });
      await sql.rows(endConnection, []).catch(() => undefined);
      await prisma.scope.create({ data: scopeData('lost-2') });
    });
    const error = await work.catch((failure: unknown) => failure);
    expect(fromDatabaseError(error)).toMatchObject({ code: 'database_unavailable' });
  }
  expect(await scopesOf('lost')).toBe(0);
});

test('a server that is gone is unavailable to Prisma as to statements', async () => {
  const gone = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    size: 1,
    name: 'gone',
    onIdleError: () => undefined,
  });
  const failures = [
    gone.prisma.tenant.findMany(),
    gone.prismaTransaction(({ prisma }) => prisma.tenant.findMany()),
    gone.sql.rows(connectionId, []),
  ].map((query) => query.catch((failure: unknown) => failure));
  for (const error of await Promise.all(failures)) {
    expect(fromDatabaseError(error)).toMatchObject({ code: 'database_unavailable' });
  }
  await gone.close();
});

test('a Prisma query that is not bound to a tenant is refused', async () => {
  const { prisma } = database;
  const queries = [
    () => prisma.scope.findMany(),
    () => prisma.scope.findMany({ where: { scopeId: 'both-1' } }),
    () => prisma.scope.updateMany({ where: { scopeId: 'both-1' }, data: { title: 'other' } }),
    () => prisma.scope.deleteMany({}),
    () => database.prismaTransaction((transaction) => transaction.prisma.scope.count()),
  ];
  for (const query of queries) await expect(query()).rejects.toThrow('not bound to a tenant');
});

test('a Prisma query finds nothing of another tenant', async () => {
  const other = await database.prisma.tenant.create({ data: { name: 'other' } });
  const where = { tenantId: other.tenantId };
  const found = await database.prismaTransaction(async ({ prisma }) => [
    await prisma.scope.findMany({ where }),
    await prisma.scope.findUnique({ where: { tenantId_scopeId: { ...where, scopeId: 'both-1' } } }),
  ]);
  expect(found).toEqual([[], null]);
});

test.each(['transaction', 'prismaTransaction'] as const)(
  'of statements that a %s sends together, the error of the first that failed is the cause of them all',
  async (kind) => {
    await database.sql.rows(addScope, [tenantId, `cause of ${kind}`]);
    const run = async (sql: Sql) => {
      const later = async () => {
        const failed = sql.rows(addScope, [tenantId, `cause of ${kind}`]);
        // The caller learns of this failure after that of the next statement.
        return await failed.finally(() => new Promise((resolve) => setTimeout(resolve, 50)));
      };
      await Promise.all([later(), sql.rows(connectionId, [])]);
    };
    const work =
      kind === 'transaction' ? database.transaction(run) : database.prismaTransaction(({ sql }) => run(sql));
    expect(isUniqueViolation(await work.catch((error: unknown) => error))).toBe(true);
  },
);
