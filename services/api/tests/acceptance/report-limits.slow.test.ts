import { readFile, writeFile } from 'node:fs/promises';
import type { RunningProcess } from '@continuity/testing';
import { waitUntil } from '@continuity/testing';
import { afterAll, afterEach, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startReportWorkerProcess } from '../support/report-worker-process.ts';
import { exact, reportCalls } from '../support/reports.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const MiB = 1024 * 1024;
const service = await startService({ environment: { MEMORY_AUTO_FLUSH: 'off' } });
const { get, view } = reportCalls(service);
let worker: RunningProcess | undefined;

afterEach(async () => {
  await worker?.[Symbol.asyncDispose]();
  await query(service.databaseUrl, 'DELETE FROM workers');
});

afterAll(() => service.stop());

async function startWorker(environment: Record<string, string> = {}): Promise<RunningProcess> {
  worker = await startReportWorkerProcess(service, environment);
  return worker;
}

/** Stores Handoffs in new Scopes: `statements` statements of `text`, each `times` long. Returns the root of the Scopes. */
async function plant(scopes: number, statements: number, text: string, times: number): Promise<string> {
  const root = freshScope();
  await query(
    service.databaseUrl,
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
       SELECT tenant_id, CASE WHEN n = 1 THEN $1 ELSE $1 || n END, 'S', 'S', CASE WHEN n > 1 THEN $1 END
       FROM tenants, generate_series(1, $2::int) n WHERE name = 'default' RETURNING tenant_id, scope_key
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT tenant_id, scope_key, 'handoff', 'handoff', 1 FROM scope RETURNING tenant_id, artifact_key
     ), revision AS (
       INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, content, content_digest)
       SELECT tenant_id, artifact_key, 1, content, sha256('x') FROM artifact,
         (SELECT '{"disposition":"blocked","next_action":null,"objective":"o","omissions":[],"schema":"service.handoff.v1","state":[' ||
            string_agg('{"citations":[{"kind":"source","source_ref":{"name":"content","source_id":"s"}}],"text":"' ||
              repeat($4, $5::int) || '"}', ',') || ']}' AS content FROM generate_series(1, $3::int)) AS made
       RETURNING tenant_id, artifact_key, content
     )
     INSERT INTO handoff_summaries
     SELECT tenant_id, artifact_key, 1, 'blocked', 'o', NULL, least($3::int, 64), 0, octet_length(content), now() FROM revision`,
    [root, scopes, statements, text, times],
  );
  return root;
}

/** Highest resident memory of a process while `work` runs, over that before it, in bytes. */
async function growthOf({ pid }: RunningProcess, work: () => Promise<unknown>): Promise<number> {
  const read = async (field: string) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return 1024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]);
  };
  // 5: the highest value begins anew.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await read('VmRSS');
  await work();
  return (await read('VmHWM')) - before;
}

const subtree = (root_scope_id: string) => ({ selection: { mode: 'subtree', root_scope_id } });

interface TooLarge {
  error: { code: string; details: { limit: string; limit_value: number; estimated_bytes: number } };
}

test('spec 30 scenario 43: a worker that refuses a report grows by at most 64 MB, whatever the texts have', async () => {
  const [huge, escaped, small] = [
    await plant(60, 1, 'x', 3_500_000),
    // Escapes make the document five times as long as the stored text.
    await plant(60, 20, '&&&&&&&&', 500),
    await plant(1, 1, 'x', 10),
  ];
  const process = await startWorker();
  // The first report loads code and opens connections.
  expect((await get(subtree(small))).status).toBe(200);
  for (const [root, body, least] of [
    [huge, {}, 200 * MiB],
    [huge, { format: 'markdown' }, 200 * MiB],
    [escaped, { format: 'markdown' }, 10 * MiB],
  ] as const) {
    const growth = await growthOf(process, async () => {
      const { status, json } = await get({ ...subtree(root), ...body });
      const { code, details } = (json as TooLarge).error;
      expect([status, code, details.limit]).toEqual([413, 'handoff_report_too_large', 'output_bytes']);
      expect(details.limit_value).toBe(10 * MiB);
      expect(details.estimated_bytes).toBeGreaterThan(Math.max(details.limit_value, least));
    });
    expect(growth).toBeLessThan(64 * MiB);
  }
  expect((await get(subtree(small))).status).toBe(200);
});

test('spec 30 scenarios 29 and 43: a report of exactly the limit is answered, in less than 16 times its memory', async () => {
  const root = await plant(60, 20, 'x', 8_000);
  await startWorker();
  const { length } = (await get(subtree(root))).text;
  expect(length).toBeGreaterThan(9 * MiB);
  await worker?.[Symbol.asyncDispose]();
  await query(service.databaseUrl, 'DELETE FROM report_renderings');
  const process = await startWorker({ REPORT_OUTPUT_LIMIT_BYTES: String(length) });
  expect((await get(exact(root))).status).toBe(200);
  const growth = await growthOf(process, async () => expect((await get(subtree(root))).status).toBe(200));
  expect(growth).toBeLessThan(16 * length);
  await worker?.[Symbol.asyncDispose]();
  // A stored rendering has the limit too.
  await startWorker({ REPORT_OUTPUT_LIMIT_BYTES: String(length - 1) });
  const { status, json } = await get(subtree(root));
  expect([status, (json as TooLarge).error.details]).toMatchObject([413, { estimated_bytes: length }]);
});

test('spec 30 scenarios 29 and 41: with the smallest limit every form is 413, and a job fails with it once', async () => {
  const root = await plant(1, 1, 'x', 900);
  await startWorker({ REPORT_OUTPUT_LIMIT_BYTES: '1024' });
  const answers = [await get(exact(root)), await get({ ...exact(root), format: 'markdown', download: true })];
  for (const { status, json, headers } of [...answers, await view({ scope_id: root })]) {
    const { details } = (json as TooLarge).error;
    expect([status, details.limit, details.limit_value]).toEqual([413, 'output_bytes', 1024]);
    expect(details.estimated_bytes).toBeGreaterThan(1024);
    expect(headers.get('content-disposition')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  }
  const failed = async (body: object) => {
    const { json } = await get({ ...body }, { prefer: 'respond-async' });
    const { job_id } = json as { job_id: string };
    const job = () => service.call('get_job', { params: { job_id } });
    await waitUntil(async () => (await job()).body.status === 'failed');
    return (await job()).body.error;
  };
  expect(await failed(exact(root))).toMatchObject({
    code: 'handoff_report_too_large',
    details: { limit: 'output_bytes', limit_value: 1024, selected_workstreams: 1, selected_activities: 0 },
  });
  expect(await failed({ project_id: 'unknown' })).toMatchObject({ code: 'project_not_found' });
  expect(await query(service.databaseUrl, 'SELECT FROM jobs WHERE attempt > 1')).toEqual([]);
});

test('spec 30 §4.3.4: without time for checks the evidence counts as unavailable, and the report is not kept', async () => {
  const root = await plant(1, 1, 'x', 10);
  await query(service.databaseUrl, 'DELETE FROM report_renderings');
  await startWorker({ REPORT_EVIDENCE_BUDGET_MS: '0' });
  const { json } = await get(exact(root));
  expect(json).toMatchObject({
    report: {
      scopes: [
        {
          evidence_checks: 'not_checked',
          evidence_unavailable: true,
          reporting_status: 'evidence_unavailable',
        },
      ],
    },
  });
  expect(await query(service.databaseUrl, 'SELECT FROM report_renderings WHERE reusable')).toEqual([]);
});
