import { createHash } from 'node:crypto';
import { clientFor } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokensFile } from '../support/tenants.ts';

const token_sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

const guarded = await startService({
  environment: {
    AUTH_TOKENS_FILE: await writeTokensFile(
      JSON.stringify({
        tokens: [
          { tenant: 'blue', token_sha256: token_sha256(tokenOf('blue')) },
          { tenant: 'blue', label: 'Ada', token_sha256: token_sha256(tokenOf('ada')) },
          { tenant: 'red', token_sha256: token_sha256(tokenOf('red')) },
        ],
      }),
    ),
  },
});
const open = await startService();

afterAll(() => Promise.all([guarded.stop(), open.stop()]));

test('spec 60 §3.1: a token learns its tenant, its label and its role', async () => {
  const callers = await Promise.all(
    ['blue', 'ada', 'red'].map(async (name) => {
      const reply = await clientOf(guarded.url, name).call('get_caller');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      return reply.body;
    }),
  );
  expect(callers).toEqual([
    { tenant: 'blue', authentication: true, actor: null, role: 'admin' },
    { tenant: 'blue', authentication: true, actor: { label: 'Ada' }, role: 'admin' },
    { tenant: 'red', authentication: true, actor: null, role: 'admin' },
  ]);
});

test('spec 60 §3.1: no cache keeps a refusal either', async () => {
  const reply = await clientFor(guarded.url, { authorization: 'Bearer wrong' }).send('GET', '/v1/caller');
  expect(reply.status).toBe(401);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('spec 60 §3.1: without authentication, the caller is the admin of the default tenant', async () => {
  const { body } = await open.call('get_caller');
  expect(body).toEqual({ tenant: 'default', authentication: false, actor: null, role: 'admin' });
});
