import { configureRole } from '@continuity/kernel/database';
import { createDatabase, runProcess, startPgbouncer, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { freshScope, race } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { takeTurn } from '../support/turn.ts';

/** Fewer than the two gateways and the workers have, so that they share them. */
const poolSize = 6;

const pooler = await startPgbouncer({ maxPreparedStatements: 200, poolSize });
const untracking = await startPgbouncer({ maxPreparedStatements: 0, poolSize });

/** Runs `work` on a service whose statements go through a pooler. */
async function withService(
  through: NonNullable<typeof pooler>,
  settings: Record<string, string>,
  work: (service: TestService, directUrl: string, logs: string[]) => Promise<void>,
  { isConfigured = true } = {},
): Promise<void> {
  const database = await createDatabase();
  const logs: string[] = [];
  if (isConfigured) await configureRole(database.url);
  const service = await startService({
    workers: true,
    logs: { write: (line) => logs.push(line) },
    environment: {
      DATABASE_URL: through.urlOf(database.url),
      DATABASE_DIRECT_URL: database.url,
      // Twenty turns at once may flush late, and expect to flush themselves.
      MEMORY_AUTO_FLUSH: 'off',
      ...settings,
    },
  });
  try {
    await work(service, database.url, logs);
  } finally {
    await service.stop();
    await through.kill();
    await database.drop();
  }
}

describe.skipIf(pooler === undefined || untracking === undefined)('PgBouncer in transaction mode', () => {
  test('gateways and workers share its sessions, with named statements and through its restart', async () => {
    if (pooler === undefined) return;
    await withService(pooler, {}, async (service, directUrl) => {
      const second = await startSecondGateway(service);
      try {
        await Promise.all([takeTurn(service), takeTurn(second)]);
        const scope_id = freshScope();
        const gateways = [service, second];
        const replies = await race(60, async (index) => {
          const gateway = gateways[index % 2] ?? service;
          return await gateway.call('remember_memory', {
            body: { scope_id, kind: 'fact', text: `Fact number ${index} is kept.` },
          });
        });
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
        const { body } = await service.call('list_memory_changes', { body: { scope_id } });
        expect(body.memory?.revision).toBe(60);
        const [sessions] = await query<{ pooled: number }>(
          directUrl,
          `SELECT count(*)::int AS pooled FROM pg_stat_activity
           WHERE datname = current_database() AND application_name ~ '^continuity-(api|workers|reports)$'`,
        );
        expect(sessions?.pooled).toBeGreaterThan(0);
        expect(sessions?.pooled).toBeLessThanOrEqual(poolSize);
        await pooler.kill();
        const refused = await service.call('remember_memory', {
          body: { scope_id, kind: 'fact', text: 'While it is away.' },
        });
        expect(refused.error?.code).toBe('database_unavailable');
        await pooler.start();
        await waitUntil(async () => (await service.call('get_readiness')).body.status === 'ready');
        await takeTurn(service);
      } finally {
        await second.stop();
      }
    });
  });

  test('one that tracks no statements works without their names; sessions without settings are a warning', async () => {
    if (untracking === undefined) return;
    const settings = { DATABASE_PREPARED_STATEMENTS: 'off', LOG_LEVEL: 'warn' };
    await withService(
      untracking,
      settings,
      async (service, _directUrl, logs) => {
        await race(20, () => takeTurn(service));
        expect(logs.join()).toContain('migrate with DATABASE_DIRECT_URL');
      },
      { isConfigured: false },
    );
  });
});

describe.skipIf(pooler === undefined || untracking === undefined)(
  'a pooler where sessions are needed',
  () => {
    /** What a process that refuses prints besides its log. */
    const refusalOf = async (program: string, environment: Record<string, string>) => {
      await using refused = runProcess([program], { PORT: '0', LOG_LEVEL: 'silent', ...environment });
      expect(await refused.exited).toEqual({ code: 2, signal: null });
      return refused.output();
    };

    test('every process and the migration refuse one in transaction mode, and name the setting', async () => {
      if (pooler === undefined) return;
      const database = await createDatabase();
      await pooler.start();
      const sentence =
        /^continuity-\w+: The address of PostgreSQL is a pooler in transaction mode, .* set DATABASE_DIRECT_URL .*\n$/;
      const through = { DATABASE_URL: pooler.urlOf(database.url) };
      for (const program of ['migrate', 'api', 'workers', 'reports'])
        expect(await refusalOf(`dist/${program}.mjs`, through)).toMatch(sentence);
      const both = { ...through, DATABASE_DIRECT_URL: through.DATABASE_URL };
      expect(await refusalOf('dist/migrate.mjs', both)).toMatch(sentence);
      await pooler.kill();
      await database.drop();
    });

    test('processes refuse one that loses prepared statements, and name the setting', async () => {
      if (untracking === undefined) return;
      const database = await createDatabase();
      await configureRole(database.url);
      await untracking.start();
      const environment = {
        DATABASE_URL: untracking.urlOf(database.url),
        DATABASE_DIRECT_URL: database.url,
      };
      for (const program of ['api', 'workers'])
        expect(await refusalOf(`dist/${program}.mjs`, environment)).toMatch(
          /^continuity-\w+: The pooler of DATABASE_URL loses prepared statements: .* DATABASE_PREPARED_STATEMENTS to off\.\n$/,
        );
      await untracking.kill();
      await database.drop();
    });

    test('one in session mode needs no other address', async () => {
      const sessions = await startPgbouncer({ maxPreparedStatements: 0, poolSize: 6, poolMode: 'session' });
      if (sessions === undefined) return;
      const database = await createDatabase();
      await using migration = runProcess(['dist/migrate.mjs'], {
        DATABASE_URL: sessions.urlOf(database.url),
      });
      expect(await migration.exited).toEqual({ code: 0, signal: null });
      await sessions.kill();
      await database.drop();
    });
  },
);

test('the migration makes the session settings those of the role, unless no pooler is set', async () => {
  const database = await createDatabase();
  // A role's settings apply to the sessions that begin after the change.
  const settings = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('plan_cache_mode') AS plans, current_setting('statement_timeout') AS statement`,
    );
    await client.end();
    return rows;
  };
  const migrate = async (environment: Record<string, string>) => {
    await using process = runProcess(['dist/migrate.mjs'], environment);
    expect(await process.exited).toEqual({ code: 0, signal: null });
  };
  await migrate({ DATABASE_URL: database.url });
  expect(await settings()).toEqual([{ plans: 'auto', statement: '0' }]);
  // The migration itself needs no pooler.
  await migrate({ DATABASE_URL: 'postgresql://127.0.0.1:1/pooler', DATABASE_DIRECT_URL: database.url });
  expect(await settings()).toEqual([{ plans: 'force_generic_plan', statement: '30s' }]);
  await database.drop();
});
