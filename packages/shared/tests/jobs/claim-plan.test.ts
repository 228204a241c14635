import { declaredStatements } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import '@continuity/shared/jobs';
import { expect, it, onTestFinished } from 'vitest';
import { openDeployment } from './deployment.ts';

/** Pages that a claim may read: those of the rows that it looks at, whatever is queued. */
const maxPages = 500;

it('a claim by a plan that was made while nothing was queued reads few of 10,000 queued jobs', async () => {
  const deployment = await openDeployment('postgres');
  onTestFinished(() => deployment.close());
  const { pool } = deployment.database;
  const [tenantId] = deployment.tenants;
  const write = (count: number, status: string) =>
    pool.query(
      `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, finished_at)
       SELECT $1, gen_random_uuid(), 'memory-flush', 'flush_memory', gen_random_uuid(), '{}', $3,
         CASE WHEN $3 = 'succeeded' THEN now() END
       FROM generate_series(1, $2)`,
      [tenantId, count, status],
    );
  const client = await pool.connect();
  try {
    const claim = declaredStatements.find(({ name }) => name === 'jobs_claim');
    await client.query(`PREPARE claim AS ${claim?.text}`);
    await write(250, 'succeeded');
    await client.query('ANALYZE jobs');
    const execute = `EXECUTE claim ('memory-flush', '', ${tenantId}, '${newId()}', '${newId()}', ${tenantId})`;
    expect((await client.query(execute)).rows).toEqual([]);
    await write(10_000, 'queued');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBe(1);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(maxPages);
  } finally {
    client.release();
  }
});
