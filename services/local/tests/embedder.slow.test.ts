import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Client,
  clientFor,
  createDatabase,
  queueEnvironment,
  type RunningProcess,
  runProcess,
  temporaryDirectory,
  testBackend,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let databaseUrl: string;
let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  databaseUrl = database.url;
  dropDatabase = () => database.drop();
});

afterAll(() => dropDatabase());

/** Starts the service as `npm start` does, on a database of the tests. */
async function start(
  environment: Record<string, string> = {},
  program = 'dist/local.mjs',
): Promise<{ service: RunningProcess; client: Client; url: string }> {
  const service = runProcess([program], { DATABASE_URL: databaseUrl, PORT: '0', ...environment });
  const line = await service.waitForLine('runs on');
  const url = line.slice(line.indexOf('http')).trim();
  return { service, client: clientFor(url), url };
}

/** What `continuity doctor` prints for a user without agent hosts. */
async function doctorOf(url: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: await temporaryDirectory('no-hosts'), CONTINUITY_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/continuity.mjs', 'doctor'], {
    cwd: root,
    env,
  });
  return stdout;
}

/** Ends a service as Ctrl-C does. */
async function end(service: RunningProcess): Promise<void> {
  service.kill('SIGINT');
  expect(await service.exited).toEqual({ code: 0, signal: null });
}

const searchModes = async (client: Client) => (await client.call('get_capabilities')).body.search_modes;
const all = ['auto', 'fts', 'vector', 'hybrid'];

async function search(client: Client, scope_id: string, query: string, mode: 'auto' | 'vector' | 'hybrid') {
  return await client.call('search_memory', { body: { scope_id, query, mode } });
}

/** The embedder among the processes that a service has started. */
async function embedderOf({ pid }: RunningProcess): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  const line = stdout
    .split('\n')
    .find((one) => one.includes('embedder.mjs') && one.trim().split(/\s+/)[1] === String(pid));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

/** On a laptop, the queue is in PostgreSQL; with `REDIS_URL`, in Redis. */
const queues: [string, () => Record<string, string>][] = [
  ['PostgreSQL', () => ({})],
  ...(testBackend() === 'redis' ? [['Redis', queueEnvironment] satisfies (typeof queues)[number]] : []),
];

describe.each(queues)('the service as npm start runs it, with its queue in %s', (queue, environment) => {
  let service: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    ({ service, client } = await start(environment()));
  });

  afterAll(() => end(service));

  const statements = [
    [`${queue}-en`, 'We back up the database every night at two.', 'nightly copies of our data'],
    [`${queue}-zh`, '数据库每天凌晨两点备份。', '夜里什么时候做副本'],
    [`${queue}-ko`, '데이터베이스는 매일 밤 두 시에 백업한다.', '야간 사본은 언제 만들어지나'],
    [`${queue}-th`, 'ฐานข้อมูลสำรองทุกคืนเวลาตีสอง', 'สำเนาข้อมูลตอนกลางคืนทำเมื่อไร'],
  ] as const;

  test('spec 26 scenario 43: a statement is found by its meaning, in English, Chinese, Korean and Thai', async () => {
    expect(await searchModes(client)).toEqual(all);
    for (const [scope_id, text] of statements)
      await client.call('remember_memory', { body: { scope_id, kind: 'fact', text } });
    for (const [scope_id, text, query] of statements) {
      await waitUntil(async () => (await search(client, scope_id, query, 'vector')).body?.hits?.length === 1);
      const { hits } = (await search(client, scope_id, query, 'auto')).body;
      expect(hits).toMatchObject([{ text, matched_by: expect.arrayContaining(['vector']) }]);
      expect((await search(client, scope_id, 'train timetable', 'vector')).body.hits).toEqual([]);
    }
    const stats = (await client.call('get_stats', { body: { selection: { mode: 'all' } } })).body;
    expect(stats.usage.by_purpose).toEqual([]);
  });

  test('spec 26 scenario 44: with the embedder killed, search is by words until it is back', async () => {
    const [scope_id, text, query] = statements[0];
    const body = { scope_id, kind: 'fact', text: 'Written without the embedder.' };
    await waitUntil(async () => (await search(client, scope_id, query, 'hybrid')).status === 200);
    // A machine that pauses may have started it again before the request.
    await waitUntil(async () => {
      const pid = await embedderOf(service);
      if (pid === undefined) return false;
      process.kill(pid, 'SIGKILL');
      return (await search(client, scope_id, query, 'hybrid')).status === 503;
    });
    const byWords = await search(client, scope_id, 'database', 'auto');
    expect(byWords).toMatchObject({ status: 200, body: { hits: [{ text }] } });
    expect((await client.call('remember_memory', { body })).status).toBe(200);
    await waitUntil(async () => (await search(client, scope_id, query, 'hybrid')).status === 200);
    await waitUntil(async () => (await search(client, scope_id, 'no program', 'vector')).status === 200);
    expect((await client.call('get_readiness')).body.status).toBe('ready');
  });
});

test('spec 26 scenario 43: EMBEDDER=off is search by words', async () => {
  const { service, client, url } = await start({ EMBEDDER: 'off' });
  expect(await searchModes(client)).toEqual(['auto', 'fts']);
  expect(await embedderOf(service)).toBeUndefined();
  expect((await client.call('get_readiness')).body).not.toHaveProperty('reasons');
  expect(await doctorOf(url)).toContain('the built-in embedder is off');
  await end(service);
});

/** A copy of the build whose model has one byte changed. */
async function copyWithChangedModel(): Promise<string> {
  const copy = await temporaryDirectory('changed-model');
  const model = join(copy, 'services/embedder/model');
  await mkdir(model, { recursive: true });
  await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'packages', 'prisma', 'package.json', 'docs'])
    await symlink(join(root, name), join(copy, name));
  for (const name of ['node_modules', 'package.json'])
    await symlink(join(root, 'services/embedder', name), join(copy, 'services/embedder', name));
  for (const name of await readdir(join(root, 'services')))
    if (name !== 'embedder') await symlink(join(root, 'services', name), join(copy, 'services', name));
  for (const name of await readdir(join(root, 'services/embedder/model')))
    await cp(join(root, 'services/embedder/model', name), join(model, name));
  const changed = join(model, 'embeddings-1.q4');
  const bytes = await readFile(changed);
  bytes[1_000_000] = (bytes[1_000_000] ?? 0) ^ 1;
  await writeFile(changed, bytes);
  return copy;
}

test('spec 26 scenario 44: with a model file of which a byte has changed, the service starts without it and says so', async () => {
  const copy = await copyWithChangedModel();
  const { service, client, url } = await start({}, join(copy, 'dist/local.mjs'));
  expect(await searchModes(client)).toEqual(['auto', 'fts']);
  const { status, checks, reasons } = (await client.call('get_readiness')).body;
  expect(status).toBe('ready');
  const why =
    'The built-in embedder did not start, so search is by words only. The log of the service says why.';
  expect(reasons).toEqual({ 'inference.embedding': why });
  expect(await doctorOf(url)).toContain(`by words only. ${why}`);
  expect(checks).not.toHaveProperty('inference.embedding');
  await end(service);
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('model'));
  expect(lines).toEqual([
    expect.stringMatching(
      /^continuity-embedder: The model file .*embeddings-1\.q4 is damaged: .* Without the embedder, search is by words\.$/,
    ),
  ]);
});
