import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpFront, startHttpFront } from '../../support/http-front.ts';
import { startService, type TestService } from '../../support/service.ts';
import { hookProgram, type PlayedEvent, type PlayedHost, playedHosts, runHook } from './play-host.ts';

/** Sessions whose processes are killed at random times: 500 take about five minutes. */
const sessions = Number(process.env['KILLED_SESSIONS'] ?? 60);
const turnsOfSession = 4;
const atOnce = 6;
/** Thousands of processes take minutes. */
const runMs = 1_800_000;
const host = playedHosts['claude-code'] as PlayedHost;
const killPoint = new URL('./kill-point.ts', import.meta.url).href;
/** More steps than an event has. */
const maxSteps = 60;

let service: TestService;
let home: string;
/** Stands before the service, and breaks every connection while it is down. */
let front: HttpFront;
let isDown = false;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-killed-hooks-'));
  service = await startService({ workers: true });
  front = await startHttpFront(service.url, () => (isDown ? 'broken' : undefined));
});

afterAll(async () => {
  front.stop();
  await service.stop();
  await rm(home, { recursive: true });
});

/** Processes of the hook program that work in this home folder. */
async function processes(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => {
      const isHook = (await read(pid, 'cmdline')).includes(hookProgram);
      return isHook && (await read(pid, 'environ')).includes(`HOME=${home}`) ? [pid] : [];
    }),
  );
  return found.flat();
}

async function stateFiles(): Promise<string[]> {
  const state = join(home, '.local', 'state');
  const entries = await readdir(state, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function storedTexts(): Promise<string[]> {
  const texts: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: Record<string, string> = { limit: '100', ...(cursor !== '' && { cursor }) };
    const { body } = await service.call('list_sources', { params: { scope_id: 'project:killed' }, query });
    texts.push(...body.items.filter(({ record }) => record === null).map(({ excerpt }) => excerpt));
    cursor = body.next_cursor;
  }
  return texts;
}

/** The environment of a hook of this user. */
function hookEnv(): Record<string, string> {
  return { HOME: home, CONTINUITY_URL: front.url };
}

/** The texts whose files are in the queue. */
async function queuedTexts(): Promise<string[]> {
  const waiting = (await stateFiles()).filter((path) => /queue\/[^/]+\.json$/.test(path));
  const texts = await Promise.all(
    waiting.map(
      async (path) => JSON.parse(await readFile(path, 'utf8').catch(() => '{}')).sources?.[0]?.content,
    ),
  );
  return texts.filter(Boolean);
}

/** Ends a last session, and waits until no process and no open file is left. Then each of `kept` must be stored, and no text twice. */
async function expectStored(kept: readonly string[]): Promise<void> {
  const cwd = join(home, 'killed');
  const end = () => runHook(host.end({ id: randomUUID(), cwd }), hookEnv());
  await end();
  await waitUntil(async () => {
    const open = (await stateFiles()).filter((path) =>
      /\.tmp$|background\.lock$|queue\/[^/]+\.json$/.test(path),
    );
    // What is left by a process that held the lock is done by the next one.
    if (open.length > 0 && (await processes()).length === 0) await end();
    return open.length === 0 && (await processes()).length === 0;
  });
  const stored = await storedTexts();
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining([...new Set(kept)]));
  expect((await stateFiles()).filter((path) => path.includes('/refused/'))).toEqual([]);
}

test('spec 70 scenario 20: killed before each step and halfway through each write, a hook loses no text whose file was in place', async () => {
  const cwd = join(home, 'killed');
  const kept: string[] = [];
  let kills = 0;
  /** Kills an event at its first step, then at its second one, until it ends by itself. */
  const sweep = async (eventOf: (step: number) => Promise<[PlayedEvent, string?]>) => {
    for (let step = 1; step <= maxSteps; step += 1) {
      const [event, text] = await eventOf(step);
      const env = { ...hookEnv(), NODE_OPTIONS: `--import=${killPoint}`, KILL_AT: String(step) };
      const { code } = await runHook(event, env);
      kept.push(...(await queuedTexts()));
      if (code === 0) {
        if (text !== undefined) kept.push(text);
        return;
      }
      kills += 1;
    }
    throw new Error(`An event has more than ${maxSteps} steps.`);
  };
  const session = { id: randomUUID(), cwd };
  const turnOf = (step: number) => ({
    id: randomUUID(),
    prompt: `Which step is ${step}?`,
    answer: `It is step ${step}.`,
  });
  await sweep(async () => [host.start(session)]);
  await sweep(async (step) => [host.prompt(session, turnOf(step)), turnOf(step).prompt]);
  await sweep(async (step) => [await host.answer(session, turnOf(step)), turnOf(step).answer]);
  await sweep(async () => [host.end(session)]);
  expect(kills).toBeGreaterThan(15);
  await expectStored(kept);
});

test(
  'spec 70 scenario 20: sessions, a third of their processes killed and the service down a third of the time, lose no text',
  async () => {
    const env = hookEnv();
    const cwd = join(home, 'killed');
    const kept: string[] = [];
    let events = 0;
    const fire = async (event: PlayedEvent, text?: string) => {
      events += 1;
      isDown = events % 300 >= 200;
      const killAfterMs = Math.random() < 1 / 3 ? 10 + 150 * Math.random() : undefined;
      const { code } = await runHook(event, env, killAfterMs);
      // One that was killed may have said its text or not.
      if (code === 0 && text !== undefined) kept.push(text);
    };
    const play = async (number: number) => {
      const session = { id: randomUUID(), cwd };
      await fire(host.start(session));
      for (let n = 0; n < turnsOfSession; n += 1) {
        const turn = {
          id: randomUUID(),
          prompt: `Question ${number}-${n}?`,
          answer: `Answer ${number}-${n}.`,
        };
        await fire(host.prompt(session, turn), turn.prompt);
        await fire(await host.answer(session, turn), turn.answer);
      }
      await fire(host.end(session));
    };
    const numbers = Array.from({ length: sessions }, (_, number) => number).values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const number of numbers) await play(number);
      }),
    );
    isDown = false;
    await expectStored([...kept, ...(await queuedTexts())]);
  },
  runMs,
);
