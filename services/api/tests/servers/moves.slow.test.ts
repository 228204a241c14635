import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@continuity/kernel/database';
import { type PostgresServer, type RunningProcess, startPostgres, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  isServedBy,
  move,
  placeOf,
  runCommand,
  startCommand,
  tenantIdOf,
  textsOn,
} from '../support/moves.ts';
import { type Deployment, startDeployment } from '../support/servers.ts';
import { query } from '../support/sql.ts';
import { startWriter } from '../support/tenant-writer.ts';

/** Kills at random moments of each step, and of aborts. Another number, which each step must have: MOVE_KILLS. */
const wantedKills = process.env['MOVE_KILLS'];
const kills = Number(wantedKills ?? '1');

/**
 * Limit of the kills one after the other that hit no step which is still to be killed: a step may be shorter than a signal takes. Without MOVE_KILLS,
 * the test goes on without such steps, which `moves-interrupted.slow.test.ts` kills one by one.
 */
const maxMisses = wantedKills === undefined ? 20 : 200;

/** Rows of the tenant whose move is timed. Another number: MOVE_ROWS. */
const rowCount = Number(process.env['MOVE_ROWS'] ?? '20000');

let a: PostgresServer;
let b: PostgresServer;
let deployment: Deployment;
let file: string;
const scope_id = freshScope();

beforeAll(async () => {
  [a, b] = await Promise.all([startPostgres(), startPostgres()]);
  await Promise.all([migrate(a.url), migrate(b.url)]);
  deployment = await startDeployment(
    [
      { name: 'a', url: a.url, tenants: ['small', 'large'] },
      { name: 'b', url: b.url, tenants: ['other'] },
    ],
    ['small', 'large', 'other'],
    { workers: true },
  );
  file = String(deployment.settings.DATABASE_SERVERS_FILE);
});

afterAll(async () => {
  await deployment.stop();
  await Promise.all([a.stop(), b.stop()]);
});

test(
  `killed at random moments, ${kills} times in each step: no write is lost, none is doubled, and one server at most serves the tenant`,
  async () => {
    const tenantId = await tenantIdOf(a.url, 'small');
    const writer = startWriter(deployment, 'small', scope_id);
    await waitUntil(() => writer.acknowledged.length > 0);
    // A run that nothing disturbs says how long each step takes.
    const lengths = new Map([...(await timeSteps('small', 'b')), ['abort', 500] as const]);
    const killed = new Map([...lengths.keys()].map((step) => [step, 0]));
    const missing = () => [...killed].filter(([, times]) => times < kills).map(([name]) => name);
    let misses = 0;
    while (missing().length > 0 && misses < maxMisses) {
      const step = await killMove('small', killed, lengths);
      misses = step === undefined || !missing().includes(step) ? misses + 1 : 0;
      if (step === undefined) continue;
      killed.set(step, (killed.get(step) ?? 0) + 1);
      const served = [await isServedBy(a.url, tenantId), await isServedBy(b.url, tenantId)];
      expect(served.filter(Boolean).length).toBeLessThanOrEqual(1);
      process.stdout.write(`killed at ${[...killed].map((one) => one.join(' ')).join(', ')}\n`);
    }
    if (wantedKills !== undefined) expect(missing()).toEqual([]);
    const to = (await placeOf(a.url, 'small')) === 'a' ? 'b' : 'a';
    const last = await runCommand(file, 'move', 'small', '--to', to);
    expect(last, last.output).toMatchObject({ code: 0 });
    const count = writer.acknowledged.length;
    await waitUntil(() => writer.acknowledged.length > count + 5);
    await writer.stop();
    expect(writer.problems).toEqual([]);
    const known = await textsOn((to === 'a' ? a : b).url, tenantId);
    expect([...known].sort()).toEqual([...new Set(known)].sort());
    expect(writer.acknowledged.filter((text) => !known.includes(text))).toEqual([]);
  },
  300_000 * (kills + 1),
);

/** Moves a tenant. Returns the length of each step in milliseconds, in their order. */
async function timeSteps(tenant: string, to: string): Promise<Map<string, number>> {
  const begun: { step: string; at: number }[] = [];
  const onStep = (step: string) => void begun.push({ step, at: performance.now() });
  await move(
    [
      { name: 'a', url: a.url },
      { name: 'b', url: b.url },
    ],
    tenant,
    to,
    { onStep },
  );
  const end = performance.now();
  return new Map(begun.map(({ step, at }, index) => [step, (begun[index + 1]?.at ?? end) - at]));
}

/**
 * Begins a move, goes on with one, or takes it back, and kills it about in the step that was killed least of those that are missing. Returns the
 * step that it was in; undefined if it had ended.
 */
async function killMove(
  tenant: string,
  killed: ReadonlyMap<string, number>,
  lengths: ReadonlyMap<string, number>,
): Promise<string | undefined> {
  const to = (await placeOf(a.url, tenant)) === 'a' ? 'b' : 'a';
  const [unfinished] = await query<{ state: string }>(
    to === 'b' ? a.url : b.url,
    'SELECT state FROM tenant_moves WHERE name = $1',
    [tenant],
  );
  const isReachable = (step: string) =>
    step === 'abort'
      ? unfinished !== undefined
      : unfinished?.state !== 'left' || !['copy', 'compare', 'block', 'leave'].includes(step);
  const [missing] = [...killed]
    .filter(([step, times]) => times < kills && isReachable(step))
    .sort(([, one], [, other]) => one - other)
    .map(([step]) => step);
  // An abort, which is the step that is missing then, needs a move that has begun.
  const aim = missing ?? (unfinished === undefined ? 'copy' : undefined);
  if (aim === undefined) {
    // The missing steps are those of another move: this one ends first.
    const ended = await runCommand(file, 'move', tenant, '--to', to);
    expect(ended, ended.output).toMatchObject({ code: 0 });
    return undefined;
  }
  const command = startCommand(file, 'move', tenant, '--to', to, ...(aim === 'abort' ? ['--abort'] : []));
  await waitForStep(command, aim);
  await Promise.race([command.exited, sleep(Math.random() * (lengths.get(aim) ?? 0))]);
  command.kill('SIGKILL');
  const { code } = await command.exited;
  const steps = command.output().match(/(?<=step: )\w+/g) ?? [];
  return code === null ? steps.at(-1) : undefined;
}

/** Waits without the pauses of `waitForLine`, which are longer than some steps. */
async function waitForStep(command: RunningProcess, step: string): Promise<void> {
  let hasEnded = false;
  void command.exited.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !command.output().includes(`step: ${step}`)) await sleep(1);
}

test('a large tenant moves under load: its writes wait for seconds alone, and another tenant notices nothing', async () => {
  const tenantId = await tenantIdOf(a.url, 'large');
  await fill(a.url, tenantId, rowCount);
  const writer = startWriter(deployment, 'large', scope_id);
  const other = startWriter(deployment, 'other', scope_id);
  await waitUntil(() => writer.acknowledged.length > 5);
  const begun = performance.now();
  const moved = await runCommand(file, 'move', 'large', '--to', 'b');
  const seconds = (performance.now() - begun) / 1_000;
  expect(moved, moved.output).toMatchObject({ code: 0 });
  const count = writer.acknowledged.length;
  await waitUntil(() => writer.acknowledged.length > count + 5);
  await Promise.all([writer.stop(), other.stop()]);
  process.stdout.write(
    `moved ${rowCount} rows in ${seconds.toFixed(1)} s; longest wait of a write ${(writer.longestMs / 1_000).toFixed(2)} s, ` +
      `of another tenant ${(other.longestMs / 1_000).toFixed(2)} s\n`,
  );
  expect(writer.problems).toEqual([]);
  expect(other.problems).toEqual([]);
  expect(other.refused).toBe(0);
  const known = new Set(await textsOn(b.url, tenantId));
  expect(writer.acknowledged.filter((text) => !known.has(text))).toEqual([]);
}, 1_800_000);

/** Writes rows of versions and their changes, and of Sources, beside what the API writes. */
async function fill(url: string, tenantId: number, rows: number): Promise<void> {
  const share = Math.floor(rows / 5);
  await query(
    url,
    "INSERT INTO scopes (tenant_id, scope_key, scope_id, title, summary) VALUES ($1, 1, 'filled', 'x', 'x')",
    [tenantId],
  );
  await query(
    url,
    "INSERT INTO artifacts (tenant_id, artifact_key, scope_key, family, artifact_id) VALUES ($1, 1, 1, 'filled', 'x')",
    [tenantId],
  );
  await query(
    url,
    `INSERT INTO memory_versions (tenant_id, artifact_key, entry_id, version, entry_version_id, kind, text, content_hash)
     SELECT $1, 1, gen_random_uuid(), 1, gen_random_uuid(), 'fact', 'Filled ' || n || repeat(' with words', 20), sha256(n::text::bytea)
     FROM generate_series(1, $2::int) n`,
    [tenantId, 2 * share],
  );
  await query(
    url,
    `INSERT INTO memory_changes (tenant_id, artifact_key, revision, entry_id, op)
     SELECT tenant_id, artifact_key, 1, entry_id, 'add' FROM memory_versions WHERE tenant_id = $1 AND artifact_key = 1`,
    [tenantId],
  );
  await query(
    url,
    `INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
     SELECT $1, 1, n, 'content', 's' || n, 'Filled ' || n || repeat(' with words', 40), sha256(n::text::bytea), false
     FROM generate_series(1, $2::int) n`,
    [tenantId, rows - 4 * share],
  );
}
