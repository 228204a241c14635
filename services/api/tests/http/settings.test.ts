import { createHash } from 'node:crypto';
import { createDatabase, runProcess } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens, writeTokensFile } from '../support/tenants.ts';

const database = await createDatabase();

afterAll(() => database.drop());

const entry = (tenant: string, token: string) => ({
  tenant,
  token_sha256: createHash('sha256').update(token).digest('hex'),
});

test.each<[string, unknown]>([
  ['no JSON', 'tokens: []'],
  ['no tokens', { tokens: [] }],
  ['a token that is not hashed', { tokens: [{ tenant: 'a', token_sha256: 'secret-token-value' }] }],
  ['an upper-case hash', { tokens: [{ tenant: 'a', token_sha256: 'A'.repeat(64) }] }],
  ['no tenant', { tokens: [{ token_sha256: 'a'.repeat(64) }] }],
  ['an unknown field', { tokens: [entry('a', 'x')], other: true }],
  ['one token twice', { tokens: [entry('a', 'x'), entry('b', 'x')] }],
])('a tokens file with %s stops the start with a sentence', async (_name, content) => {
  const path = await writeTokensFile(typeof content === 'string' ? content : JSON.stringify(content));
  await expectRefused({ AUTH_TOKENS_FILE: path });
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
  await using gateway = runProcess(['services/api/src/main.ts'], {
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
