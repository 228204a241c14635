import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { catalogCalls, freshKey } from '../support/catalog.ts';
import { freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = catalogCalls(service);

afterAll(() => service.stop());

/** More than the connections of a gateway. */
const writers = 24;

/** Locks all rows of a table, as a process does that freezes in a write. Returns a function that unlocks them. */
async function lockRows(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`BEGIN; SELECT FROM ${table} FOR UPDATE`);
  return async () => {
    await client.query('ROLLBACK');
  };
}

/** Whether writers of one row hold all connections that they may have: half of the four that Prisma uses. */
async function isHalfBlocked(): Promise<boolean> {
  const [row] = await query<{ count: string }>(
    service.databaseUrl,
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(row?.count) >= 2;
}

/** Makes a record, and returns a write to it that succeeds once. */
const records: Record<string, () => Promise<() => Promise<{ status: number }>>> = {
  report_projects: async () => {
    const project = await calls.made();
    return () => calls.update(project, { title: freshKey() });
  },
  report_workstreams: async () => {
    const { project_id } = await calls.made();
    const { body } = await calls.register(project_id, freshScope());
    return () => calls.updateWorkstream(body, { title: freshKey() });
  },
  report_workspaces: async () => {
    const { project_id } = await calls.made();
    const workspace = freshKey();
    await calls.attach(workspace, project_id, null);
    return () => calls.detach(workspace, 1);
  },
};

test.each(Object.entries(records))(
  'writes that wait for a locked row of %s leave connections to other requests',
  async (table, makeRecord) => {
    const write = await makeRecord();
    const { project_id } = await calls.made();
    const unlock = await lockRows(table);
    const writes = race(writers, write);
    await waitUntil(isHalfBlocked);
    expect((await calls.get(project_id)).status).toBe(200);
    await unlock();
    expect((await writes).filter(({ status }) => status === 200)).toHaveLength(1);
  },
);
