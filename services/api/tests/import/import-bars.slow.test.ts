import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliProgram } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { type Machine, makeMachine } from './machine.ts';

const maxMib = 256;
let service: TestService;
let machine: Machine;

beforeAll(async () => {
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('large') },
    workers: true,
  });
  machine = await makeMachine(service, 'large');
});

afterAll(async () => {
  await service.stop();
  await machine.remove();
});

/** Runs an import, and returns its counts and the peak of its resident memory. */
async function measure(...args: string[]) {
  const child = spawn(process.execPath, [cliProgram, 'import', '--json', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...machine.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = text(child.stdout);
  const ended = once(child, 'close');
  let mib = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    mib = Math.max(mib, Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024);
    await sleep(50);
  }
  await ended;
  return { ...(JSON.parse(await output) as { added: number; unchanged_files: number }), mib };
}

/** Writes lines without holding them in memory. */
async function writeLines(path: string, lines: Iterable<string>): Promise<string> {
  const whole = join(machine.home, path);
  await mkdir(dirname(whole), { recursive: true });
  await pipeline(Readable.from(lines), createWriteStream(whole));
  const old = new Date('2026-10-09T00:00:00Z');
  await utimes(whole, old, old);
  return whole;
}

test('spec 70 scenario 12: large sessions take little memory, are found by search, and are not read twice', async () => {
  const turns = 200;
  const output = 'x'.repeat(400_000);
  await writeLines(
    '.claude/projects/-home-ada-shop/large.jsonl',
    (function* () {
      const common = { sessionId: 'large', cwd: '/home/ada/shop', timestamp: '2026-10-05T08:00:00.000Z' };
      const record = (type: string, uuid: string, content: unknown) =>
        `${JSON.stringify({ type, uuid, message: { role: type, id: uuid, content }, ...common })}\n`;
      for (let turn = 0; turn < turns; turn += 1) {
        yield record('user', `u-${turn}`, `Question ${turn}?`);
        yield record('user', `t-${turn}`, [{ type: 'tool_result', tool_use_id: 't', content: output }]);
        const answer = turn === turns - 1 ? 'We decided that the code word is zanzibar.' : `Answer ${turn}.`;
        yield record('assistant', `a-${turn}`, [{ type: 'text', text: answer }]);
      }
    })(),
  );
  const first = await measure('claude-code');
  expect(first.added).toBe(2 * turns + 6);
  expect(first.mib).toBeLessThan(maxMib);
  const client = clientOf(service.url, 'large');
  await waitUntil(async () => {
    const body = { scope_id: 'project:shop', query: 'what is the code word' };
    return (await client.call('search_memory', { body })).body.hits.some((hit) =>
      hit.text.includes('zanzibar'),
    );
  });
  expect(await measure('claude-code')).toMatchObject({ added: 0, unchanged_files: 2 });
});

test('spec 70 scenario 12: a large export of ChatGPT takes little memory', async () => {
  const count = 120;
  const output = 'y'.repeat(1_000_000);
  const path = await writeLines(
    'conversations.json',
    (function* () {
      for (let number = 0; number < count; number += 1) {
        const node = (id: string, parent: string | null, role: string, part: string) => ({
          [`${number}-${id}`]: {
            parent: parent && `${number}-${parent}`,
            message: {
              id: `${number}-${id}-0000-4000-8000-000000000000`,
              author: { role },
              create_time: 1_780_300_000 - number,
              content: { content_type: 'text', parts: [part] },
            },
          },
        });
        const mapping = {
          ...node('a', null, 'user', `Question ${number}?`),
          ...node('b', 'a', 'tool', output),
          ...node('c', 'b', 'assistant', `Answer ${number}.`),
        };
        const conversation = {
          conversation_id: `c-${number}`,
          create_time: 1_780_300_000 - number,
          current_node: `${number}-c`,
          mapping,
        };
        yield `${number === 0 ? '[' : ','}${JSON.stringify(conversation)}`;
      }
      yield ']';
    })(),
  );
  const { added, mib } = await measure(path);
  expect(added).toBe(2 * count);
  expect(mib).toBeLessThan(maxMib);
});
