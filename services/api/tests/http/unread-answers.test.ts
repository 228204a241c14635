import { existsSync, watch } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { beginLongAnswer, longStats, plantManyScopes } from '../support/long-answer.ts';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

const MiB = 1_048_576;
const AUTH_TOKENS_FILE = await writeTokens('acme', 'other');
const environment = {
  AUTH_TOKENS_FILE,
  UNREAD_ANSWERS_LIMIT_BYTES: String(64 * MiB),
  TMPDIR: await mkdtemp(join(tmpdir(), 'continuity-unread-')),
};
const files = async () =>
  (await readdir(environment.TMPDIR)).filter((name) => name.startsWith('continuity-answer-'));
const abandoned = join(environment.TMPDIR, 'continuity-answer-abandoned');
const recent = join(environment.TMPDIR, 'continuity-answer-recent');
await writeFile(abandoned, '');
await utimes(abandoned, new Date(0), new Date(0));
await writeFile(recent, '');

const service = await startService({ environment: { AUTH_TOKENS_FILE } });
const gateway = await startGatewayProcess(service, environment);
const other = clientOf(gateway.url, 'other');
const acme = clientOf(gateway.url, 'acme');

beforeAll(() => plantManyScopes(service.databaseUrl));

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service.stop();
  await rm(environment.TMPDIR, { recursive: true });
});

/** Requests a long answer and never reads its body. */
const stall = () => beginLongAnswer(gateway, { authorization: `Bearer ${tokenOf('acme')}` });

const longOf = async (client: typeof acme) => await client.send('POST', '/v1/stats', longStats);

test('an answer of 1 MiB takes no file, and one of over 8 MiB takes one', async () => {
  const created: (string | null)[] = [];
  const watcher = watch(environment.TMPDIR, (_event, name) => created.push(name));
  const short = await acme.send('POST', '/v1/stats', longStats.replace('30d', 'today'));
  expect(short.text.length).toBeGreaterThan(MiB);
  const marker = join(environment.TMPDIR, 'marker');
  await writeFile(marker, '');
  await waitUntil(() => created.includes('marker'));
  expect(created.filter((name) => name !== 'marker')).toEqual([]);
  expect((await longOf(acme)).text.length).toBeGreaterThan(8 * MiB);
  await waitUntil(() => created.some((name) => name?.startsWith('continuity-answer-')));
  watcher.close();
  await rm(marker);
});

test('unread answers of a tenant have a limit: further long ones are 503, short ones and those of others are answered', async () => {
  const stalled: IncomingMessage[] = [];
  let refused: Awaited<ReturnType<typeof longOf>> | undefined;
  await waitUntil(
    async () => {
      stalled.push(await stall());
      const reply = await longOf(acme);
      if (reply.status !== 200) refused = reply;
      return refused !== undefined;
    },
    { timeoutMs: 60_000 },
  );
  if (refused === undefined) throw new Error('No answer was refused.');
  expectError(refused, 503, 'runtime_not_ready');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await acme.send('GET', '/v1/scopes')).status).toBe(200);
  const body = await longOf(other);
  expect(body.status).toBe(200);
  expect(body.text.length).toBeGreaterThan(5 * MiB);
  // The file of an answer that is being sent has no name, from soon after its creation on.
  await waitUntil(async () => (await files()).join() === 'continuity-answer-recent');
  for (const answer of stalled) answer.destroy();
  await waitUntil(async () => (await longOf(acme)).status === 200);
});

test('the start removes the files of processes that were killed', () => {
  expect(existsSync(abandoned)).toBe(false);
  expect(existsSync(recent)).toBe(true);
});
