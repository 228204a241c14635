import { createDatabase, runProcess } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens, writeTokensFile } from '../support/tenants.ts';

const database = await createDatabase();

afterAll(() => database.drop());

test('a tokens file that is not valid stops the start with a sentence', async () => {
  const content = { tokens: [{ tenant: 'a', token_sha256: 'secret-token-value' }] };
  await expectRefused({ AUTH_TOKENS_FILE: await writeTokensFile(JSON.stringify(content)) });
});

test('a tokens file that is not there stops the start with a sentence', async () => {
  await expectRefused({ AUTH_TOKENS_FILE: '/nowhere/tokens.json' });
});

test('one token may be given beside the file', async () => {
  const file = await writeTokens('blue');
  const service = await startService({
    environment: { AUTH_TOKEN: tokenOf('default'), AUTH_TOKENS_FILE: file },
  });
  for (const [tenant, status] of [
    ['default', 200],
    ['blue', 200],
    ['red', 401],
  ] as const) {
    expect((await clientOf(service.url, tenant).send('GET', '/v1/capabilities')).status).toBe(status);
  }
  await service.stop();
});

/** The process ends with 2, and says one sentence that names the setting and no stack. */
async function expectRefused(environment: Record<string, string>): Promise<void> {
  await using gateway = runProcess(['dist/api.mjs'], {
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: database.url,
    ...environment,
  });
  expect(await gateway.exited).toEqual({ code: 2, signal: null });
  const output = gateway.output();
  expect(output).toMatch(/^continuity-api: AUTH_TOKENS_FILE .*\.\n$/);
  expect(output).not.toContain('secret-token-value');
}
