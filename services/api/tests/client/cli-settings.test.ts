import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });

afterAll(() => service.stop());

/** Runs commands with a configuration of their own. */
async function newUser(variables: Record<string, string> = {}) {
  const XDG_CONFIG_HOME = await temporaryDirectory('config');
  const run = (args: string[], input = '', more: Record<string, string> = {}) =>
    runCli(args, { env: { XDG_CONFIG_HOME, ...variables, ...more }, input });
  const writeConfig = async (content: string) => {
    await mkdir(join(XDG_CONFIG_HOME, 'continuity'));
    const path = join(XDG_CONFIG_HOME, 'continuity/config.json');
    await writeFile(path, content);
    await chmod(path, 0o600);
  };
  return { run, writeConfig };
}

test('a profile can be named __proto__', async () => {
  const name = '__proto__';
  const { run } = await newUser();
  const set = ['profile', 'set', name, '--url', service.url, '--token-stdin'];
  expect(await run(set, tokenOf('acme'))).toMatchObject({ code: 0, stderr: '' });
  expect((await run(['profile', 'list'])).stdout).toMatch(new RegExp(`\\* +${name} +${service.url}`));
  expect(await run(['scopes', 'list'])).toMatchObject({ code: 0 });
  expect(await run(['profile', 'set', name, '--scope', 'mine'])).toMatchObject({ code: 0 });
  expect((await run(['profile', 'list'])).stdout).toMatch(/mine +yes/);
  expect(await run(['profile', 'remove', name])).toMatchObject({ code: 0 });
  expect(await run(['profile', 'use', name])).toMatchObject({ code: 2 });
});

test.each([
  { profiles: { a: null } },
  { profiles: { a: 'x' } },
  { profiles: { a: { token: 5 } } },
  { profiles: [] },
  { current: 5, profiles: {} },
])('the configuration %j counts as damaged', async (config) => {
  const { run, writeConfig } = await newUser({ CONTINUITY_URL: service.url });
  await writeConfig(JSON.stringify(config));
  for (const args of [
    ['profile', 'list'],
    ['--profile', 'a', 'scopes', 'list'],
  ]) {
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('is damaged') });
  }
});
