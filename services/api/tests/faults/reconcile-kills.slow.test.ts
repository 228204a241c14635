import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArtifactRef } from '@continuity/contract';
import { type RunningProcess, startTcpProxy, type TcpProxy, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type EnrolledProject, enrollProject } from '../support/receivers.ts';
import { type Enrolled, remoteCalls } from '../support/remote-skills.ts';
import { startService, type TestService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { query } from '../support/sql.ts';
import { runWorkerProcess, startWorkerProcess, workerIdOf } from '../support/worker-process.ts';

/** Workers that are killed and started again side by side. */
const lanes = 4;

/** The statements of one reconcile, from its claim to the next job of its target. A kill hits right after one was sent. */
const steps = [
  'jobs_claim',
  'contact_remote_target',
  'read_remote_reconcile',
  'store_remote_observations',
  'jobs_finish',
  'jobs_settle',
];

/** How the workers of each lane die, in this order: at each step, and wherever a running job has got to. */
const deaths = [...steps, 'at work'];

/** Pause of a Receiver between two syncs. */
const syncMs = 100;

/** A worker ends up to this number of jobs before it is killed, so that no job meets ten dying workers. */
const maxEnded = 4;

const scope = 'many-kills';
const workerSettings = { WORKER_QUEUES: 'remote-reconcile' };

let service: TestService;
let remote: ReturnType<typeof remoteCalls>;
let skill: { first: ArtifactRef; second: ArtifactRef };
const workers = new Set<RunningProcess>();
const proxies: TcpProxy[] = [];

beforeAll(async () => {
  service = await startService();
  remote = remoteCalls(service);
  const skills = skillCalls(service);
  const first = await skills.approved(scope, archiveOf(skillFile('release-check', 'Once.')));
  const second = await skills.approved(scope, archiveOf(skillFile('release-check', 'Twice.')), {
    target: first,
  });
  skill = { first, second };
});

afterAll(async () => {
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  for (const proxy of proxies) await proxy.stop();
  await service.stop();
});

/** Starts a worker in a lane, lets it work, and kills it. */
async function runAndKill(proxy: TcpProxy, death: string): Promise<void> {
  const worker = runWorkerProcess(service, { ...workerSettings, DATABASE_URL: proxy.url });
  workers.add(worker);
  const workerId = await workerIdOf(worker);
  const jobs = Math.ceil(Math.random() * maxEnded);
  await waitUntil(() => worker.output().split('"outcome":"succeeded"').length > jobs, {
    what: `${jobs} jobs of a worker`,
  });
  if (death === 'at work') await killAtWork(worker, workerId);
  else proxy.onceSent(death, () => worker.kill('SIGKILL'));
  await worker.exited;
  workers.delete(worker);
  // The dead worker counts as lost at once.
  await query(service.databaseUrl, 'DELETE FROM workers WHERE worker_id = $1', [workerId]);
}

/** Kills a worker at a moment at which it runs a job. */
async function killAtWork(worker: RunningProcess, workerId: string): Promise<void> {
  const running = "SELECT FROM jobs WHERE worker_id = $1 AND status = 'running'";
  await waitUntil(
    async () => {
      worker.kill('SIGSTOP');
      if ((await query(service.databaseUrl, running, [workerId])).length > 0) return true;
      worker.kill('SIGCONT');
      await sleep(Math.random() * 10);
      return false;
    },
    { what: 'a worker at work' },
  );
  worker.kill('SIGKILL');
}

/** Sends a request until it is answered with 200. A worker that is frozen or dead may hold rows: the answer is 503 meanwhile. */
async function answered<Body>(request: () => Promise<{ status: number; body: Body }>): Promise<Body> {
  for (;;) {
    const reply = await request();
    if (reply.status === 200) return reply.body;
    expect(reply.status).toBe(503);
    await sleep(100);
  }
}

/** Changes what is wanted of a target, over and over. Ends with the intent of this number. Returns the last generation. */
async function changeIntents({ target }: EnrolledProject, last: number, isOver: () => boolean) {
  const { first, second } = skill;
  const change = (intent: number, generation: number | null) => {
    if (intent === 2) return remote.unpublish(scope, target, first, generation ?? 0);
    return remote.publish(scope, target, intent === 0 ? first : second, generation);
  };
  let generation: number | null = null;
  for (let intent = 0; ; intent = (intent + 1) % ends.length) {
    const body = await answered(() => change(intent, generation));
    generation = body.generation;
    if (isOver() && intent === last) return generation;
    await sleep(Math.random() * 300);
  }
}

/** Expected publication and installed text, by the number of the last intent: two publish, one unpublishes. */
const ends = [
  { desired_state: 'published', desired_revision: 1, state: 'update_available', installed: /Once\./ },
  { desired_state: 'published', desired_revision: 2, state: 'current', installed: /Twice\./ },
  { desired_state: 'unpublished', desired_revision: 2, state: 'unpublished', installed: /^$/ },
] as const;

/**
 * A Receiver that finds nothing installed: two reconciles at once, each of which must offer the one install, and a receipt that makes
 * the next reconcile write again. Returns the number of its rounds.
 */
async function installAgain({ credential }: Enrolled, isOver: () => boolean): Promise<number> {
  const reconcile = async () => (await answered(() => remote.reconcile(credential))).actions;
  let rounds = 0;
  for (; !isOver(); rounds += 1) {
    const [actions, others] = await Promise.all([reconcile(), reconcile()]);
    expect(actions).toMatchObject([{ operation: 'install', generation: 0, expected_local: null }]);
    expect(others).toEqual(actions);
    const [action] = actions;
    if (action === undefined) throw new Error('A reconcile gave no action.');
    expect((await remote.receipt(credential, action)).body).toMatchObject({
      accepted: true,
      publication: { state: 'update_available' },
    });
  }
  return rounds;
}

async function syncUntil({ sync }: EnrolledProject, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sync();
    await sleep(syncMs);
  }
}

/** Kills workers in all lanes, side by side. The lanes begin at different steps. */
async function killWorkers(): Promise<void> {
  const killing = Array.from({ length: lanes }, async (_, lane) => {
    const proxy = await startTcpProxy(service.databaseUrl);
    proxies.push(proxy);
    for (const index of deaths.keys()) {
      await runAndKill(proxy, deaths[(index + 2 * lane) % deaths.length] ?? '');
    }
  });
  await Promise.all(killing);
}

const becomes = (target: string, state: string) =>
  waitUntil(async () => (await remote.publication(scope, target, skill.first)).state === state, {
    what: `a publication that is ${state}`,
  });

test(`${lanes * deaths.length} kills of the worker leave no publication stuck, no Skill half installed and no ownership lost`, async () => {
  const projects = await Promise.all(Array.from({ length: 6 }, () => enrollProject(service, scope)));
  const targets = await Promise.all(Array.from({ length: 2 }, () => remote.enrolled(scope)));
  for (const { target_id } of targets) await remote.publish(scope, target_id, skill.first);
  let isKilling = true;
  let isSyncing = true;
  const installing = targets.map((target) => installAgain(target, () => !isKilling));
  const intending = projects.map((project, index) =>
    changeIntents(project, index % ends.length, () => !isKilling),
  );
  const syncing = projects.map((project) => syncUntil(project, () => !isSyncing));
  onTestFinished(async () => {
    isKilling = false;
    isSyncing = false;
    await Promise.allSettled([...installing, ...intending, ...syncing]);
  });

  // The load ends after the kills, or by an error.
  await Promise.race([killWorkers(), Promise.all([...installing, ...intending, ...syncing])]);
  workers.add(await startWorkerProcess(service, workerSettings));
  isKilling = false;
  for (const rounds of await Promise.all(installing)) expect(rounds).toBeGreaterThan(0);
  const generations = await Promise.all(intending);
  for (const [index, { target, root }] of projects.entries()) {
    const { installed, ...end } = ends[index % ends.length] ?? ends[0];
    await becomes(target, end.state);
    const generation = generations[index] ?? Number.NaN;
    expect(await remote.publication(scope, target, skill.first)).toMatchObject({
      ...end,
      generation,
      observed_generation: generation,
      last_error_code: null,
    });
    const found = await readFile(join(root, 'release-check/SKILL.md'), 'utf8').catch(() => '');
    expect(found).toMatch(installed);
    // Shows that the Receiver still owns the Skill: otherwise it would not remove it.
    await remote.unpublish(scope, target, skill.first, generation);
  }
  for (const { target, root } of projects) {
    await becomes(target, 'unpublished');
    expect(await readdir(root)).toEqual([]);
  }
  isSyncing = false;
  await Promise.all(syncing);
  const unfinished = "SELECT FROM jobs WHERE status IN ('queued', 'running')";
  await waitUntil(async () => (await query(service.databaseUrl, unfinished)).length === 0);
  expect(await query(service.databaseUrl, "SELECT error FROM jobs WHERE status <> 'succeeded'")).toEqual([]);
});
