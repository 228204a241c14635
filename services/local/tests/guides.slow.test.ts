import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, runProcess } from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService } from '../../api/tests/support/service.ts';
import { readDocument } from './support/guide.ts';
import { blocksOf, runShell } from './support/shell.ts';

const repository = process.cwd();

let folder: string;
let stop: () => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuity-guide-'));
  stop = async () => undefined;
});

afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const readGuide = (name: string) => readDocument(`docs/guides/${name}.md`);
const forThree = (block: string) => block.replaceAll('$(seq 10)', '$(seq 3)');
const isStart = (block: string) => block.endsWith('npm start\n');

/** Variables with which the commands of a guide reach the service. */
const reaching = (url: string) => ({ CONTINUITY_URL: url, XDG_CONFIG_HOME: folder });

/** On a busy machine, a background flush would come before that of a guide. */
const settings = { MEMORY_AUTO_FLUSH: 'off', EMBEDDER: 'off' };

/** Starts the service as `npm start` does. */
async function startLocal(): Promise<Record<string, string>> {
  const database = await createDatabase();
  const own = { DATABASE_URL: database.url, PORT: '0' };
  const service = runProcess(['dist/local.mjs'], { ...settings, ...own });
  stop = async () => {
    service.kill('SIGTERM');
    await service.exited;
    await database.drop();
  };
  const line = await service.waitForLine('runs on');
  return reaching(line.slice(line.indexOf('http')).trim());
}

/** Starts the service in this process, which takes a quarter of the processor time. */
async function startHere(environment: Record<string, string> = {}): Promise<Record<string, string>> {
  const service = await startService({ environment: { ...settings, ...environment }, workers: true });
  stop = service.stop;
  return reaching(service.url);
}

test('the first ten minutes', async () => {
  const env = await startLocal();
  const blocks = blocksOf(await readGuide('first-ten-minutes'), 'sh').filter((block) => !isStart(block));
  const printed = await runShell(blocks, { env, withNpm: true });
  expect(printed).toContain('Read 1 Sources, up to position 1.');
  const [, listed = ''] = printed.split('up to position 1.');
  const [list = '', prepared = ''] = listed.split('Untrusted history');
  for (const text of [
    'Deployments happen on Tuesdays.',
    'Never log tokens.',
    'We decided to use Postgres 18.',
  ])
    expect(list).toContain(text);
  expect(prepared).toContain('Next step: write the runbook.');
});

test('an agent loop', async () => {
  const env = await startHere();
  const guide = await readGuide('agent-loop');
  const [program = ''] = blocksOf(guide, 'js');
  await writeFile(join(folder, 'agent.mjs'), program);
  await mkdir(join(folder, 'node_modules/@continuity'), { recursive: true });
  await symlink(join(repository, 'packages/client'), join(folder, 'node_modules/@continuity/client'));
  const [learn = '', flush = '', recall = ''] = blocksOf(guide, 'sh');
  expect(await runShell([learn], { env, cwd: folder })).toBe(
    'user: We decided to ship version 4 on Friday.\n',
  );
  expect(JSON.parse(await runShell([flush], { env, cwd: folder }))).toMatchObject({ status: 'processed' });
  const recalled = await runShell([recall], { env, cwd: folder });
  expect(recalled).toMatch(/^system: .*We decided to ship version 4 on Friday\..*^user: On which day/ms);
});

test('many tenants', async () => {
  const [create = '', start = '', ...use] = blocksOf(await readGuide('many-tenants'), 'sh');
  await runShell([create], { cwd: folder });
  expect(start).toBe('AUTH_TOKENS_FILE=tenants/tokens.json npm start\n');
  const env = await startHere({ AUTH_TOKENS_FILE: join(folder, 'tenants/tokens.json') });
  const printed = await runShell(use, { env, cwd: folder });
  const [, ofAcme = '', ofGlobex = ''] = printed.split(/^.*SCORE.*$/m);
  expect(ofAcme).toContain('Deployments happen on Tuesdays.');
  expect(ofAcme).not.toContain('at night');
  expect(ofGlobex).toContain('Deployments happen at night.');
  expect(printed).toMatch(/^# HELP /m);
});

test('a Skill for many machines', async () => {
  const env = await startHere();
  const blocks = blocksOf(await readGuide('deliver-a-skill'), 'sh');
  // Each machine needs four commands, so three machines play the ten.
  const printed = await runShell([`export TMPDIR="${folder}"`, ...blocks.map(forThree)], {
    env,
    cwd: folder,
  });
  expect(printed.match(/release-check\/SKILL\.md$/gm)).toHaveLength(3);
  expect(printed.match(/machine \d +active +online/g)).toHaveLength(3);
  expect(printed).toMatch(/ current /);
});

test('every guide is run by a test', async () => {
  expect((await readdir(join(repository, 'docs/guides'))).toSorted()).toEqual([
    'agent-loop.md',
    'deliver-a-skill.md',
    'first-ten-minutes.md',
    'hand-off.md',
    'many-tenants.md',
    'review.md',
  ]);
});
