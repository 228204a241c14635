import { execFile } from 'node:child_process';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { externalSkillCalls, skillText, writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { freshScope } from '../support/memory.ts';
import { startService, startTestWorkers } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const folders = await temporaryDirectory('skills');
const rootOf = (host: string) => join(folders, host);
const EXTERNAL_SKILLS_FILE = await writeSkillHosts({
  north: [{ tenant: 'acme', path: rootOf('north') }],
  south: [{ tenant: 'acme', path: rootOf('south') }],
});
const service = await startService({
  environment: { EXTERNAL_SKILLS_FILE, AUTH_TOKENS_FILE: await writeTokens('acme', 'other') },
});
const acme = clientOf(service.url, 'acme');
const calls = externalSkillCalls(acme);
const workers = new Set<{ stop(): Promise<void> }>();

afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await service.stop();
});

/** Starts a worker of a host, and waits until the gateway knows it. */
async function startHost(host: string) {
  const worker = await startTestWorkers(service, {
    EXTERNAL_SKILLS_HOST_ID: host,
    WORKER_QUEUES: ['external-skill-scan'],
  });
  workers.add(worker);
  await waitUntil(() => isServed(host));
  return worker;
}

async function stopHost(host: string, worker: { stop(): Promise<void> }): Promise<void> {
  workers.delete(worker);
  await worker.stop();
  await waitUntil(async () => !(await isServed(host)));
}

/** Whether the gateway knows a live worker of the host. */
async function isServed(host_id: string): Promise<boolean> {
  const body = { scope_id: 'served', host_id };
  const reply = await acme.send('POST', '/v1/external-skills/scan', body, { prefer: 'respond-async' });
  return reply.status === 202;
}

const ofNorth = "SELECT FROM jobs WHERE host_id = 'north' AND scope_id <> 'served'";
const running = `${ofNorth} AND status = 'running'`;
const requeued = `${ofNorth} AND status = 'queued' AND attempt > 0`;

/** The names that a scan of the host registers now. */
async function namesOf(scope: string, host_id: string): Promise<string[]> {
  return (await calls.scan(scope, { host_id })).body.registrations.map(({ name }) => name);
}

test('spec 40 scenario 48: two hosts have registrations and workers of their own', async () => {
  const scope = freshScope();
  await writeSkill(rootOf('north'), 'shared-name');
  await writeSkill(rootOf('south'), 'shared-name', { 'SKILL.md': skillText('shared-name', 'Another one.') });
  await writeSkill(rootOf('south'), 'southern');
  const [north, south] = await Promise.all([startHost('north'), startHost('south')]);
  const [northern, southernNames] = await Promise.all([namesOf(scope, 'north'), namesOf(scope, 'south')]);
  expect(northern).toEqual(['shared-name']);
  expect(southernNames).toEqual(['shared-name', 'southern']);
  await rm(join(rootOf('north'), 'shared-name'), { recursive: true });
  expect(await namesOf(scope, 'north')).toEqual([]);
  const id = (name: string) => `codex:project:repository/${name}`;
  expect(await calls.statuses(scope, { host_id: 'north' })).toEqual([
    [id('shared-name'), 'unavailable'],
    [id('southern'), 'unavailable'],
  ]);
  expect((await calls.list(scope, { host_id: 'north' })).body.skills).toEqual([]);
  const listed = (await calls.list(scope, { host_id: 'south' })).body.skills;
  expect(listed.map(({ status, registration }) => [status, registration.host_id])).toEqual([
    ['available', 'south'],
    ['available', 'south'],
  ]);
  const southern = listed[1]?.registration ?? { external_skill_id: '', fingerprint: '' };
  const elsewhere = { registration: southern, status: 'unavailable', entrypoint: null };
  // The gateway runs on no host, so the first one of the file is meant.
  expect((await calls.resolve(scope, southern)).body).toEqual(elsewhere);
  expect((await calls.import(scope, southern)).error?.code).toBe('external_skill_snapshot_unavailable');

  await stopHost('south', south);
  for (const refused of [
    await calls.scan(scope, { host_id: 'south' }),
    await calls.list(scope, { host_id: 'south' }),
    await calls.resolve(scope, southern, { host_id: 'south' }),
    await calls.import(scope, southern, 'import', { host_id: 'south' }),
  ]) {
    expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
      503,
      'worker_unavailable',
      { queue: 'external-skill-scan', host_id: 'south' },
    ]);
  }
  expect((await calls.resolve(scope, southern, { host_id: 'north' })).body).toEqual(elsewhere);
  expect(await namesOf(scope, 'north')).toEqual([]);
  const readiness = (await service.call('get_readiness')).body.checks;
  expect(readiness['worker.external-skill-scan']).toBe('ready');
  expect((await calls.scan(scope, { host_id: 'west' })).error?.code).toBe('invalid_request');
  const other = externalSkillCalls(clientOf(service.url, 'other'));
  for (const host_id of ['north', 'south', 'west']) {
    expect((await other.list(scope, { host_id })).error?.code).toBe('external_skill_registry_unavailable');
  }
  await stopHost('north', north);
  const { checks } = (await service.call('get_readiness')).body;
  expect(checks['worker.external-skill-scan']).toBe('unavailable');
});

test('spec 40 scenario 49: a worker that is killed in the middle of a scan leaves the old set, and the scan runs on another worker of its host', async () => {
  const scope = freshScope();
  const root = rootOf('north');
  const killed = await startWorkerProcess(service, {
    EXTERNAL_SKILLS_FILE,
    EXTERNAL_SKILLS_HOST_ID: 'north',
    WORKER_QUEUES: 'external-skill-scan',
  });
  await waitUntil(() => isServed('north'));
  await writeSkill(root, 'first');
  expect(await namesOf(scope, 'north')).toEqual(['first']);
  await writeSkill(root, 'second');
  // The commit of the scan waits for this lock, with everything read.
  const lock = new pg.Client({ connectionString: service.databaseUrl });
  await lock.connect();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE external_skills IN SHARE MODE');
  const scanned = namesOf(scope, 'north');
  await waitUntil(async () => (await query(service.databaseUrl, running)).length > 0);
  killed.kill('SIGKILL');
  await killed.exited;
  await query(service.databaseUrl, 'DELETE FROM workers');
  await lock.end();
  const old = await query<{ name: string }>(
    service.databaseUrl,
    'SELECT name FROM external_skills JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1',
    [scope],
  );
  expect(old).toEqual([{ name: 'first' }]);
  // A worker of another host leaves the job alone, also when its sweep requeues it.
  const south = await startHost('south');
  await waitUntil(async () => (await query(service.databaseUrl, requeued)).length > 0);
  await startHost('north');
  expect(await scanned).toEqual(['first', 'second']);
  expect(await calls.statuses(scope, { host_id: 'north' })).toHaveLength(2);
  await stopHost('south', south);
});

test('spec 40 scenario 49: of two equal scans at once, the later answer has a change between them', async () => {
  const scope = freshScope();
  const directory = await writeSkill(rootOf('north'), 'changing');
  const fingerprint = async () => {
    const { registrations } = (await calls.scan(scope, { host_id: 'north' })).body;
    return registrations.find(({ name }) => name === 'changing')?.fingerprint;
  };
  const before = await fingerprint();
  for (let round = 0; round < 5; round += 1) {
    const first = fingerprint();
    await appendFile(join(directory, 'SKILL.md'), '.');
    const second = fingerprint();
    const answers = await Promise.all([first, second]);
    const now = await fingerprint();
    expect(answers[1]).toBe(now);
    expect(now).not.toBe(before);
  }
});

test('spec 40 scenario 50: a directory that is swapped for a link and a file that grows are never half read', async () => {
  const scope = freshScope();
  const root = rootOf('north');
  const outside = join(folders, 'outside');
  await writeSkill(outside, 'references', { 'one.md': 'Nobody may read this.', 'two.md': 'Nor this.' });
  const skill = {
    'SKILL.md': skillText('swapped'),
    'references/one.md': 'One.',
    'references/two.md': 'Two.',
  };
  await writeSkill(root, 'swapped', skill);
  await writeSkill(root, 'growing', { 'SKILL.md': skillText('growing'), 'log.md': '' });
  // The moment without the folder is a state of its own.
  await writeSkill(root, 'between', { 'SKILL.md': skillText('swapped') });
  const fingerprintOf = async (directory: string) =>
    (await calls.scan(scope, { host_id: 'north' })).body.registrations.find(
      ({ locator }) => locator === join(root, directory),
    )?.fingerprint;
  const fingerprint = await fingerprintOf('swapped');
  const honest = [fingerprint, await fingerprintOf('between')];
  expect(honest).not.toContain(undefined);
  await mkdir(join(folders, 'aside'));
  const stop = join(folders, 'stop');
  const swapping = promisify(execFile)('sh', [
    '-c',
    `while [ ! -e ${stop} ]; do
       mv ${root}/swapped/references ${folders}/aside/references; ln -s ${outside}/references ${root}/swapped/references
       rm ${root}/swapped/references; mv ${folders}/aside/references ${root}/swapped/references
       printf 'more and more\\n' >> ${root}/growing/log.md
     done`,
  ]);
  const seen: string[] = [];
  let skipped = 0;
  // On a busy machine, many scans may pass before one meets a change.
  for (let round = 0; round < 40 || (skipped === 0 && round < 1_000); round += 1) {
    const { registrations, skipped: some } = (await calls.scan(scope, { host_id: 'north' })).body;
    seen.push(...registrations.filter(({ name }) => name === 'swapped').map((one) => one.fingerprint));
    skipped += some;
  }
  await writeFile(stop, '');
  await swapping;
  expect(seen.filter((one) => !honest.includes(one))).toEqual([]);
  expect(skipped).toBeGreaterThan(0);
  await rm(join(root, 'growing'), { recursive: true });
  expect(await fingerprintOf('swapped')).toBe(fingerprint);
});
