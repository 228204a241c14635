import type { TenantId } from '@continuity/kernel/database';
import { cleanServers, runMove } from '@continuity/shared/tenants';
import { createDatabase, type RunningProcess, runProcess, type TestDatabase } from '@continuity/testing';
import pg from 'pg';
import { expect } from 'vitest';
import { type Deployment, startDeployment } from './servers.ts';
import { query } from './sql.ts';

/** A deployment on two database servers, between which its tenants move. */
export interface MoveDeployment {
  a: TestDatabase;
  b: TestDatabase;
  /** Both, for `move`. */
  servers: { name: string; url: string }[];
  /** `DATABASE_SERVERS_FILE`, for `runCommand`. */
  file: string;
  deployment: Deployment;
  stop(): Promise<void>;
}

/** Starts a deployment on two database servers. `tenants` says on which of them each tenant is. `changeB` changes the second one before. */
export async function startMoveDeployment(
  tenants: { a: string[]; b: string[] },
  options: Parameters<typeof startDeployment>[2] = {},
  changeB: (url: string) => Promise<unknown> = async () => undefined,
): Promise<MoveDeployment> {
  const [a, b] = await Promise.all([createDatabase(), createDatabase()]);
  const drop = () => Promise.all([a.drop(), b.drop()]);
  await changeB(b.url);
  const servers = [
    { name: 'a', url: a.url },
    { name: 'b', url: b.url },
  ];
  const entries = [
    { name: 'a', url: a.url, tenants: tenants.a },
    { name: 'b', url: b.url, tenants: tenants.b },
  ];
  const deployment = await startDeployment(entries, [...tenants.a, ...tenants.b], options).catch(
    async (error: unknown) => {
      await drop();
      throw error;
    },
  );
  return {
    a,
    b,
    servers,
    file: String(deployment.settings.DATABASE_SERVERS_FILE),
    deployment,
    stop: async () => {
      await deployment.stop();
      await drop();
    },
  };
}

/** The servers as the command knows them. */
const addressesOf = (servers: readonly { name: string; url: string }[]) =>
  servers.map(({ name, url }) => ({ name, directUrl: url, capacityBytes: undefined }));

/** Deletes what tenants have left, in this process. */
export async function clean(
  servers: readonly { name: string; url: string }[],
  graceSeconds: number,
): Promise<string[]> {
  return await cleanServers(addressesOf(servers), graceSeconds);
}

/** The tables with rows of tenants, read without the code under test. Partitions are a part of their table. */
export async function tenantTables(url: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    url,
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id'
       AND table_name NOT IN ('tenant_servers', 'tenant_moves', 'tenant_changes')
       AND NOT (SELECT relispartition FROM pg_class WHERE oid = to_regclass(quote_ident(table_name))) ORDER BY table_name`,
  );
  return rows.map(({ name }) => name);
}

/** Columns that a move changes: keys of profiles differ between servers, jobs enter other queues, and a tenant names its last move. */
const changedColumns = ['profile_key', 'enqueued_at', 'move_seal'];

/** All rows of a tenant, by table, without the columns that a move changes. */
export async function rowsOf(url: string, tenantId: number): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of await tenantTables(url)) {
    const rows = await query<{ row: string }>(
      url,
      `SELECT (to_jsonb(t) - $2::text[])::text AS row FROM ${pg.escapeIdentifier(table)} t WHERE tenant_id = $1 ORDER BY 1`,
      [tenantId, changedColumns],
    );
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

/** Counts the rows of a tenant in all tables. */
export async function countRows(url: string, tenantId: number): Promise<number> {
  return Object.values(await rowsOf(url, tenantId)).flat().length;
}

export async function tenantIdOf(url: string, name: string): Promise<TenantId> {
  const [row] = await query<{ tenant_id: TenantId }>(
    url,
    'SELECT tenant_id FROM tenant_servers WHERE name = $1',
    [name],
  );
  if (row === undefined) throw new Error(`The directory has no ${name}.`);
  return row.tenant_id;
}

export async function placeOf(url: string, name: string): Promise<string | undefined> {
  const [row] = await query<{ server: string }>(url, 'SELECT server FROM tenant_servers WHERE name = $1', [
    name,
  ]);
  return row?.server;
}

/** Moves a tenant in this process. */
export async function move(
  servers: readonly { name: string; url: string }[],
  tenant: string,
  to: string,
  { isAbort = false, onStep = () => undefined }: { isAbort?: boolean; onStep?: (step: string) => void } = {},
): Promise<string> {
  return await runMove(addressesOf(servers), { tenant, to, isAbort }, onStep);
}

/** Begins to move a tenant in this process, and fails at a step. */
export async function failMove(
  servers: readonly { name: string; url: string }[],
  tenant: string,
  to: string,
  step: string,
): Promise<void> {
  const onStep = (one: string) => {
    if (one === step) throw new Error('stopped');
  };
  await expect(move(servers, tenant, to, { onStep })).rejects.toThrow('stopped');
}

/** Holds a table as a long transaction does. Resolves with a function that ends the transaction. */
export async function holdTable(url: string, table: string, mode: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${pg.escapeIdentifier(table)} IN ${mode} MODE`);
  return async () => await client.end();
}

/** Deletes all that a server knows of a tenant, as a restore of a backup from before its move does. */
export async function forgetTenant(url: string, tenantId: number): Promise<void> {
  const tables = [...(await tenantTables(url)), 'tenant_moves'];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      [
        'BEGIN',
        'SET CONSTRAINTS ALL DEFERRED',
        `SET LOCAL continuity.mover = '${tenantId}'`,
        ...tables.map((table) => `DELETE FROM ${pg.escapeIdentifier(table)} WHERE tenant_id = ${tenantId}`),
        'COMMIT',
      ].join('; '),
    );
  } finally {
    await client.end();
  }
}

/** As `rewindTenant`, to a backup from while the move copied its rows. */
export async function rewindToCopy(url: string, tenantId: number): Promise<void> {
  await query(
    url,
    "UPDATE tenant_moves SET state = 'leaving', progress = NULL WHERE tenant_id = $1 AND state = 'left'",
    [tenantId],
  );
}

/** Makes a tenant work again on a server that it has left, with the rows of then, as a restore of a backup from before its move does. */
export async function rewindTenant(url: string, tenantId: number): Promise<void> {
  await query(url, 'DELETE FROM tenant_moves WHERE tenant_id = $1', [tenantId]);
  const triggers = await query<{ name: string; place: string }>(
    url,
    'SELECT tgname::text AS name, tgrelid::regclass::text AS place FROM pg_trigger WHERE starts_with(tgname, $1)',
    [`tenant_move_${tenantId}_`],
  );
  for (const { name, place } of triggers) await query(url, `DROP TRIGGER ${name} ON ${place}`);
}

/** Starts the command of an operator as a process. */
export function startCommand(file: string, ...args: string[]): RunningProcess {
  return runProcess(['services/api/src/tenants.ts', ...args], {
    DATABASE_SERVERS_FILE: file,
    LOG_LEVEL: 'silent',
  });
}

/** Runs the command of an operator to its end. */
export async function runCommand(
  file: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const command = startCommand(file, ...args);
  const { code } = await command.exited;
  return { code, output: command.output() };
}

/** Whether a server says that the tenant works on it. In SQL of its own, so that it judges that of the product. */
export async function isServedBy(url: string, tenantId: number): Promise<boolean> {
  const rows = await query(
    url,
    `SELECT FROM tenants t WHERE tenant_id = $1
       AND NOT EXISTS (SELECT FROM tenant_moves m WHERE m.tenant_id = t.tenant_id AND m.state IN ('left', 'incoming'))`,
    [tenantId],
  );
  return rows.length > 0;
}

/** The texts of all versions of entries that a server has of a tenant. */
export async function textsOn(url: string, tenantId: number): Promise<string[]> {
  const rows = await query<{ text: string }>(
    url,
    'SELECT text FROM memory_versions WHERE tenant_id = $1 ORDER BY text',
    [tenantId],
  );
  return rows.map(({ text }) => text);
}
