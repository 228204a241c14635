import { type JobStatus, jobStatuses, type QueueName, queueNames } from '@continuity/contract';
import { declaredStatements, openDatabase, type TenantId } from '@continuity/kernel/database';
import { CursorCodec } from '@continuity/shared/handlers';
import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import '../../src/jobs/list-queues.ts';
import { listJobs } from '../../src/jobs/read.ts';

const created = await createDatabase();
const database = openDatabase({ url: created.url, size: 4, name: 'test', onIdleError: () => {} });
const cursors = new CursorCodec(Buffer.alloc(32, 1));

const tenantOf = async (name: string) => {
  const { rows } = await database.pool.query<{ tenant_id: TenantId }>(
    'INSERT INTO tenants (name) VALUES ($1) RETURNING tenant_id',
    [name],
  );
  const tenantId = rows[0]?.tenant_id;
  if (tenantId === undefined) throw new Error('No tenant was made.');
  return tenantId;
};
const tenantId = await tenantOf('few');
const many = await tenantOf('many');

/** Writes jobs of all queues, statuses and three Scopes, ten of each moment. */
async function writeJobs(tenant: TenantId, count: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, status, created_at)
     SELECT $1, gen_random_uuid(), ($2::text[])[1 + n % $4], 'flush_memory',
       (ARRAY['a', 'b', NULL])[1 + n % 3], n::text, '{}', ($3::text[])[1 + (n / 7) % $5],
       timestamptz '2026-11-01' + n / 10 * interval '1 second'
     FROM generate_series(0, $6 - 1) n`,
    [tenant, queueNames, jobStatuses, queueNames.length, jobStatuses.length, count],
  );
}

await writeJobs(tenantId, 400);
await writeJobs(many, 20_000);
await database.pool.query('VACUUM ANALYZE jobs');

afterAll(async () => {
  await database.close();
  await created.drop();
});

interface Filters {
  scope_id?: string;
  queue?: QueueName;
  status?: JobStatus;
  created_after?: string;
  created_before?: string;
}

const after = '2026-11-01T00:00:05.000Z';
const before = '2026-11-01T00:00:30.000Z';
const queue: QueueName = 'memory-flush';
const filterSets: Filters[] = [
  {},
  { scope_id: 'a' },
  { queue },
  { status: 'failed' },
  { scope_id: 'b', queue },
  { scope_id: 'b', status: 'succeeded' },
  { queue, status: 'queued' },
  { scope_id: 'a', queue, status: 'failed' },
  { created_after: after },
  { created_before: before },
  { scope_id: 'a', status: 'failed', created_after: after, created_before: before },
];

test.each(filterSets)(
  'a list of %j has each of its jobs once, newest first, on pages of any size',
  async (filters) => {
    const { rows } = await database.pool.query(
      `SELECT job_id FROM jobs WHERE tenant_id = $1 AND ($2::text IS NULL OR scope_id = $2)
       AND ($3::text IS NULL OR queue = $3) AND ($4::text IS NULL OR status = $4)
       AND ($5::timestamptz IS NULL OR created_at > $5) AND ($6::timestamptz IS NULL OR created_at < $6)
     ORDER BY created_at DESC, job_id DESC`,
      [
        tenantId,
        filters.scope_id,
        filters.queue,
        filters.status,
        filters.created_after,
        filters.created_before,
      ],
    );
    for (const limit of [7, 200]) {
      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listJobs(database.sql, cursors, { tenantId, ...filters, limit, cursor });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        listed.push(...page.items.map(({ job_id }) => job_id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(listed).toEqual(rows.map(({ job_id }) => job_id));
    }
  },
);

test('a cursor belongs to its tenant and to all its filters', async () => {
  const filters = { scope_id: 'a', queue, status: 'failed', created_after: after, created_before: before };
  const list = (change: object) =>
    listJobs(database.sql, cursors, { tenantId: many, ...(filters as Filters), limit: 1, ...change });
  const wide = await listJobs(database.sql, cursors, { tenantId: many, limit: 1 });
  expect(wide.next_cursor).not.toBeNull();
  const cursor = wide.next_cursor ?? '';
  for (const [name, value] of Object.entries(filters)) {
    await expect(
      listJobs(database.sql, cursors, { tenantId: many, limit: 1, cursor, [name]: value }),
    ).rejects.toMatchObject({ code: 'invalid_cursor' });
  }
  await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor' });
  await expect(listJobs(database.sql, cursors, { tenantId, limit: 1, cursor })).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});

test('spec 60 §3.8: a count reads one index range of at most 1,001 jobs for each queue and status', async () => {
  const text = declaredStatements.find((one) => one.name === 'jobs_count_by_queue')?.text ?? '';
  const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [
    many,
    queueNames,
    ['queued', 'running', 'failed'],
  ]);
  const [explained] = (rows[0]?.['QUERY PLAN'] ?? []) as { Plan: Node }[];
  const nodes = explained === undefined ? [] : nodesOf(explained.Plan);
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(nodes.map((node) => node['Index Name']).filter(Boolean)).toEqual(['jobs_list']);
  const ranges = queueNames.length * 3;
  expect(Math.max(...nodes.map((node) => node['Actual Rows'] * node['Actual Loops']))).toBeLessThanOrEqual(
    ranges * 1_001,
  );
});

/** Blocks that a page reads, and the rows that the largest node of its plan passes on. */
async function costOf(tenant: TenantId, { scope_id, ...filters }: Filters) {
  const name = scope_id === undefined ? 'jobs_list' : 'jobs_list_of_scope';
  const text = declaredStatements.find((one) => one.name === name)?.text ?? '';
  const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [
    tenant,
    filters.queue === undefined ? queueNames : [filters.queue],
    filters.status === undefined ? jobStatuses : [filters.status],
    filters.created_after ?? '-infinity',
    filters.created_before ?? 'infinity',
    '00000000-0000-0000-0000-000000000000',
    51,
    ...(scope_id === undefined ? [] : [scope_id]),
  ]);
  const [explained] = (rows[0]?.['QUERY PLAN'] ?? []) as { Plan: Node }[];
  if (explained === undefined) throw new Error('The statement was not explained.');
  const plan = explained.Plan;
  return {
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rows: Math.max(...nodesOf(plan).map((node) => node['Actual Rows'] * node['Actual Loops'])),
    scans: nodesOf(plan).map((node) => node['Node Type']),
  };
}

interface Node {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

const nodesOf = (plan: Node): Node[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test.each(filterSets)(
  'spec 00 §8.1: a page of %j reads index ranges of its own length, whatever the number of jobs',
  async (filters) => {
    const { blocks, rows, scans } = await costOf(many, filters);
    const ranges = (filters.queue ? 1 : queueNames.length) * (filters.status ? 1 : jobStatuses.length);
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThanOrEqual(ranges * 51);
    expect(blocks).toBeLessThanOrEqual(ranges * 60 + 250);
  },
);
