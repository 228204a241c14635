import { operations, successesOf } from '@continuity/contract/operations';
import { type Client, createDatabase, readOpenMetrics, type TestDatabase } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalSkills } from '../contract/support/external-skills.ts';
import { plantJobs } from '../contract/support/places.ts';
import { provokeSuccess } from '../contract/support/provocations.ts';
import { type Deployment, startDeployment } from '../support/servers.ts';
import { query } from '../support/sql.ts';

let databases: TestDatabase[];
let deployment: Deployment;
let client: Client;

beforeAll(async () => {
  databases = [await createDatabase(), await createDatabase()];
  const [a, b] = databases as [TestDatabase, TestDatabase];
  deployment = await startDeployment(
    [
      { name: 'a', url: a.url, tenants: ['first'] },
      { name: 'b', url: b.url, tenants: ['default'] },
    ],
    ['first', 'default'],
    { workers: true, environment: externalSkills },
  );
  await plantJobs(b.url);
  client = Object.assign(deployment.client('default'), { databaseUrl: b.url });
});

afterAll(async () => {
  await deployment.stop();
  for (const database of databases) await database.drop();
});

describe.each(operations.filter(({ tag }) => tag !== 'system'))(
  '$id of a tenant of the second server',
  (operation) => {
    test.each(successesOf(operation))('answers $status', async ({ status }) => {
      const reply = await provokeSuccess(client, operation, status);
      expect(reply.status, reply.text).toBe(status);
    });
  },
);

test('the backlog metrics have the sum of all servers, and the age of the oldest', async () => {
  const sources = [3, 4];
  const ages = [500, 7_000];
  for (const [index, { url }] of databases.entries()) {
    await query(url, 'DELETE FROM jobs');
    await query(
      url,
      `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, created_at)
       SELECT min(tenant_id), gen_random_uuid(), 'report-render', 'get_handoff_report', n::text, '{}', now() - $1 * interval '1 s'
       FROM tenants, generate_series(1, $2) n GROUP BY n`,
      [ages[index], sources[index]],
    );
    await query(url, 'UPDATE deployment SET backlog_at = NULL');
  }
  const { text } = await deployment.client('operator').send('GET', '/metrics');
  const samples = new Map([...readOpenMetrics(text).values()].flatMap((family) => [...family.samples]));
  expect(samples.get('continuity_queue_depth{queue="report-render",status="queued"}')).toBe(7);
  const oldest = samples.get('continuity_queue_oldest_age_seconds{queue="report-render"}');
  expect(oldest).toBeGreaterThanOrEqual(7_000);
  expect(oldest).toBeLessThan(7_400);
});
