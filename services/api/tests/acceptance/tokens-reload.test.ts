import { writeFile } from 'node:fs/promises';
import { createDatabase, runProcess, underLoad, waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { collectLines } from '../support/log-lines.ts';
import { startService } from '../support/service.ts';
import { clientOf, tokensFor, writeTokens } from '../support/tenants.ts';

const statusFor = async (url: string, tenant: string) =>
  (await clientOf(url, tenant).send('GET', '/v1/capabilities')).status;

const database = await createDatabase();

afterAll(() => database.drop());

test('SIGHUP loads a changed tokens file, and a broken one keeps the old tokens', async () => {
  const file = await writeTokens('blue', 'red');
  await using gateway = runProcess(['dist/api.mjs'], {
    PORT: '0',
    DATABASE_URL: database.url,
    AUTH_TOKENS_FILE: file,
  });
  const { url } = JSON.parse(await gateway.waitForLine('the gateway listens')) as { url: string };
  await gateway.waitForHttp(`${url}/health/ready`);
  expect([await statusFor(url, 'red'), await statusFor(url, 'green')]).toEqual([200, 401]);

  await writeFile(file, tokensFor('blue', 'green'));
  gateway.kill('SIGHUP');
  await waitUntil(async () => (await statusFor(url, 'green')) === 200);
  expect([await statusFor(url, 'blue'), await statusFor(url, 'red')]).toEqual([200, 401]);

  for (const broken of ['{"tokens":[', '{"tokens":[]}']) {
    await writeFile(file, broken);
    gateway.kill('SIGHUP');
  }
  const line = await gateway.waitForLine('kept the old tokens');
  expect(JSON.parse(line)).toMatchObject({ level: 50, err: { type: 'SettingsError' } });
  expect([await statusFor(url, 'green'), await statusFor(url, 'red')]).toEqual([200, 401]);
});

test('a changed tokens file is loaded within 30 s without a signal', async () => {
  const logs = collectLines();
  const file = await writeTokens('blue', 'red');
  const service = await startService({
    environment: { AUTH_TOKENS_FILE: file, LOG_LEVEL: 'info' },
    logs,
  });
  await writeFile(file, tokensFor('blue'));
  await waitUntil(async () => (await statusFor(service.url, 'red')) === 401, {
    timeoutMs: underLoad(30_000),
    intervalMs: 200,
  });
  expect(await statusFor(service.url, 'blue')).toBe(200);
  expect(logs.named('reloaded the tokens file')).toHaveLength(1);
  await service.stop();
});
