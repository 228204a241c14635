import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { hookProgram, type PlayedEvent, type PlayedHost, playedHosts, runHook } from './play-host.ts';

const sessions = 500;
const turnsOfSession = 4;
const atOnce = 6;
/** Thousands of processes take minutes. */
const runMs = 1_800_000;

let service: TestService;
let home: string;
/** Stands before the service, and drops every connection while it is down. */
let proxy: Server;
let isDown = false;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-killed-hooks-'));
  service = await startService({ workers: true });
  proxy = createServer((request, response) => {
    if (isDown) {
      request.socket.destroy();
      return;
    }
    const { method = 'POST', headers, url } = request;
    const sent = httpRequest(`${service.url}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
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
  const entries = await readdir(join(home, '.local', 'state'), { recursive: true, withFileTypes: true });
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

test(
  'spec 70 scenario 20: 500 sessions, a third of their processes killed and the service down a third of the time, lose no text',
  async () => {
    const host = playedHosts['claude-code'] as PlayedHost;
    const env = { HOME: home, CONTINUITY_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
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
    const waiting = (await stateFiles()).filter((path) => /queue\/[^/]+\.json$/.test(path));
    const queued = await Promise.all(
      waiting.map(
        async (path) => JSON.parse(await readFile(path, 'utf8').catch(() => '{}')).sources?.[0]?.content,
      ),
    );
    await runHook(host.end({ id: randomUUID(), cwd }), env);
    await waitUntil(async () => {
      const open = (await stateFiles()).filter((path) =>
        /\.tmp$|background\.lock$|queue\/[^/]+\.json$/.test(path),
      );
      // What is left by a process that held the lock is done by the next one.
      if (open.length > 0 && (await processes()).length === 0)
        await runHook(host.end({ id: randomUUID(), cwd }), env);
      return open.length === 0 && (await processes()).length === 0;
    });
    const stored = await storedTexts();
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored).toEqual(expect.arrayContaining([...new Set([...kept, ...queued.filter(Boolean)])]));
    expect((await stateFiles()).filter((path) => path.includes('/refused/'))).toEqual([]);
  },
  runMs,
);
