import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });

afterAll(() => service.stop());

const setToken = ['profile', 'set', 'laptop', '--token-stdin'];

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

test.each([
  ['a line end', 'sesame\nopen'],
  ['a character beyond ASCII', 'sesame-é'],
  ['a space', 'sesame open'],
  ['only white space', ' \t'],
])('a token with %s is refused without its value', async (_case, token) => {
  const { run } = await newUser({ CONTINUITY_URL: service.url, CONTINUITY_TOKEN: token });
  const message = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
  for (const args of [['mcp'], ['scopes', 'list'], ['doctor'], ['scopes', 'list', '--json']]) {
    const { code, stdout, stderr } = await run(args, message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('CONTINUITY_TOKEN is not valid');
    expect(stderr).not.toContain('sesame');
  }
});

test('a refused token of a profile names the profile', async () => {
  const { run, writeConfig } = await newUser({ CONTINUITY_URL: service.url });
  await writeConfig(
    JSON.stringify({ current: 'laptop', profiles: { laptop: { token: 'sesame\r\nx-open: 1' } } }),
  );
  const { code, stderr } = await run(['scopes', 'list']);
  expect(code).toBe(2);
  expect(stderr).toContain('The token of the profile "laptop" is not valid');
  expect(stderr).not.toContain('sesame');
});

test('white space around a token is no part of it', async () => {
  const { run } = await newUser({ CONTINUITY_URL: service.url });
  expect(await run(['scopes', 'list'], '', { CONTINUITY_TOKEN: `${tokenOf('acme')}\n` })).toMatchObject({
    code: 0,
  });
});

test.each(['', ' \n', 'first\nsecond\n'])('profile set refuses %j as a token', async (input) => {
  const { run } = await newUser();
  expect(await run(setToken, input)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The token on standard input is not valid'),
  });
  expect(await run(['profile', 'list'])).toMatchObject({ stderr: expect.stringContaining('No profile.') });
});

test.each(['nonsense', '', 'ftp://127.0.0.1', 'http://'])(
  'profile set refuses %j as an address',
  async (url) => {
    const { run } = await newUser();
    expect(await run(['profile', 'set', 'laptop', '--url', url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no http or https URL'),
    });
    expect(await run(['profile', 'list'])).toMatchObject({ stderr: expect.stringContaining('No profile.') });
  },
);

test('an address with a password is refused, and not printed', async () => {
  const { run } = await newUser();
  const url = 'http://user:secret@127.0.0.1:9';
  expect(await run(['doctor', '--url', url])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: The address must not contain a user name or a password. Set CONTINUITY_TOKEN instead.\n',
  });
});

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

test('an empty variable counts as not set', async () => {
  const { run } = await newUser({
    CONTINUITY_URL: '',
    CONTINUITY_PROFILE: '',
    CONTINUITY_SCOPE: '',
    CONTINUITY_TOKEN: '',
  });
  const set = ['profile', 'set', 'laptop', '--url', service.url, '--scope', 'mine', '--token-stdin'];
  expect(await run(set, tokenOf('acme'))).toMatchObject({ code: 0 });
  expect(await run(['search', 'x'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('"mine"'),
  });
});

test('the scheme of an address can be in capitals', async () => {
  const { run } = await newUser({ CONTINUITY_TOKEN: tokenOf('acme') });
  const url = service.url.replace('http:', 'HTTP:');
  expect(await run(['scopes', 'list', '--url', url])).toMatchObject({ code: 0 });
});
