import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, type RunningProcess, waitUntil } from '@continuity/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { runLocal, shareDataDirectory, startLocal } from './support/start-local.ts';

const on = shareDataDirectory();

/** Runs the command that the service prints at its start, and returns what the command prints. */
async function tryFirst(service: RunningProcess, token?: string): Promise<string> {
  await service.waitForLine('Press Ctrl-C');
  const command = /^ *curl .*\n.*$/m.exec(service.output())?.[0] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], {
    env: { ...process.env, TOKEN: token },
  });
  return stdout;
}

describe('the all-in-one service', () => {
  let service: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    ({ service, client } = await startLocal(on.dataDirectory));
  });

  test('says what to try first, and it works', async () => {
    expect(JSON.parse(await tryFirst(service))).toMatchObject({ entry: { state: 'active' } });
  });

  test('is left alone by a second service on the same data, which says who has it', async () => {
    const other = runLocal(on.dataDirectory);
    expect((await other.exited).code).toBe(1);
    expect(other.output()).toContain(`in use by process ${service.pid}`);
    expect((await client.call('get_liveness')).status).toBe(200);
  });

  test('spec 10 scenario 1: goes on when its PostgreSQL is killed, without a restart', async () => {
    const capture = (source_id: string) =>
      client.send('POST', '/v1/sources/content', { scope_id: 'crash', source_id, content: 'We use Kafka.' });
    expect((await capture('before')).status).toBe(202);
    const readPid = async () =>
      Number.parseInt(await readFile(join(on.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    const killed = await readPid();
    process.kill(killed, 'SIGKILL');
    // PostgreSQL may be back before a request needs it.
    const statuses = new Set<number>();
    await waitUntil(async () => {
      statuses.add((await capture('while')).status);
      const pid = await readPid().catch(() => killed);
      return pid !== killed && !Number.isNaN(pid);
    });
    expect([202, 503]).toEqual(expect.arrayContaining([...statuses]));
    await waitUntil(async () => (await client.send('GET', '/health/ready')).status === 200);
    expect((await capture('after')).status).toBe(202);
    const flush = { scope_id: 'crash' };
    await waitUntil(async () => (await client.send('POST', '/v1/memory/flush', flush)).status === 200);
    const { body } = await client.call('list_memory_entries', { body: { scope_id: 'crash' } });
    expect(body.entries.map(({ text }) => text)).toEqual(['We use Kafka.']);
    service.kill('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});

test('a wrong setting ends the start with a sentence that names it', async () => {
  const service = runLocal(on.dataDirectory, { PORT: 'many' });
  expect((await service.exited).code).toBe(2);
  expect(service.output()).toMatch(/PORT is invalid/);
  expect(service.output()).not.toContain('many');
});

test('what the service says to try first works with a token, and SIGHUP makes it read its tokens file again', async () => {
  const [first, second] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];
  const file = join(on.dataDirectory, 'tokens.json');
  const writeTokens = (...tokens: string[]) => {
    const hashed = tokens.map((token) => ({
      tenant: 'blue',
      token_sha256: createHash('sha256').update(token).digest('hex'),
    }));
    return writeFile(file, JSON.stringify({ tokens: hashed }));
  };
  await writeTokens(first);
  const { service, client } = await startLocal(on.dataDirectory, { AUTH_TOKENS_FILE: file });
  expect(JSON.parse(await tryFirst(service, first))).toMatchObject({ entry: { state: 'active' } });
  const statusOf = async (token: string) =>
    (await client.send('GET', '/v1/capabilities', undefined, { authorization: `Bearer ${token}` })).status;
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
  await writeTokens(second);
  service.kill('SIGHUP');
  await waitUntil(async () => (await statusOf(second)) === 200);
  expect(await statusOf(first)).toBe(401);
  service.kill('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});
