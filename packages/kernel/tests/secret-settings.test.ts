import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@continuity/testing';
import { expect, test } from 'vitest';
import { loadSettings, SettingsError } from '../src/config/load.ts';

const refusalOf = (environment: Record<string, string>): string => {
  try {
    loadSettings(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('The settings were not refused.');
};

test('a line break at the end of a secret is removed', () => {
  const settings = loadSettings({
    AUTH_TOKEN: 'token-of-sixteen-bytes\r\n',
    INFERENCE_API_KEY: 'key\n',
    DATABASE_URL: 'postgresql://u:p@host/db\n',
    REDIS_URL: 'redis://host\n\n',
    REDIS_SENTINELS: 'one:1',
    REDIS_SENTINEL_PASSWORD: ' pass \n',
  });
  expect(settings).toMatchObject({
    AUTH_TOKEN: 'token-of-sixteen-bytes',
    INFERENCE_API_KEY: 'key',
    DATABASE_URL: 'postgresql://u:p@host/db',
    REDIS_URL: 'redis://host',
    REDIS_SENTINEL_PASSWORD: ' pass ',
  });
});

test.each(['two lines\nof-a-token-file', 'token with blanks inside'])(
  'a token that no header can carry is refused: %j',
  (token) => {
    expect(refusalOf({ AUTH_TOKEN: token })).toMatch(
      /^AUTH_TOKEN is invalid: it contains a blank or a line break/,
    );
  },
);

test('a token of blanks is refused and does not disable authentication', () => {
  expect(refusalOf({ AUTH_TOKEN: ' \n' })).toBe('AUTH_TOKEN has only blanks or line breaks.');
});

const rawPasswords = [
  'x@geheim:/w',
  'geheim/w',
  'geheim#w',
  'geheim@w',
  'a@geheim#/?',
  'geheim?w',
  '12/geheim',
  'geheim%zz',
  'geheim w',
  'ge\nheim',
  'geheim\\w',
  '#geheim',
  '%ffgeheim',
];
test.each(rawPasswords)('a raw password in a URL is refused and not shown: %j', (password) => {
  for (const [name, scheme] of [
    ['DATABASE_URL', 'postgresql'],
    ['REDIS_URL', 'redis'],
  ] as const) {
    const message = refusalOf({ [name]: `${scheme}://app:${password}@127.0.0.1:6399/0` });
    expect(message).toMatch(new RegExp(`^${name} is invalid: .*Percent-encode`));
    expect(message).not.toMatch(/geheim|heim|127\.0|6399|app/);
  }
});

test.each([
  'postgresql://app:a%2Fb%40c%23d%25@host:5432/db?sslmode=verify-full&sslrootcert=/certs/ca.crt',
  'postgres://host/db',
  'postgresql://app:a:b!$&*()=+;,~^@[fd00::2]:5432/db',
  'postgresql://app@localhost/db?host=/var/run/postgresql',
])('a URL that is encoded is accepted: %s', (url) => {
  expect(loadSettings({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
});

test('an address of another scheme is refused', () => {
  expect(refusalOf({ REDIS_URL: 'http://geheim' })).toBe(
    'REDIS_URL is invalid: it must begin with redis:// or rediss://.',
  );
});

test('addresses can be given as parts, whose characters need no encoding', () => {
  const password = ' a/b#c@d%e:f?g\\ü ';
  const settings = loadSettings({
    DATABASE_HOST: 'db.internal\n',
    DATABASE_PORT: '6432',
    DATABASE_NAME: 'my db',
    DATABASE_USER: 'app@tenant\n',
    DATABASE_PASSWORD: `${password}\n`,
    DATABASE_PARAMETERS: 'sslmode=require',
    REDIS_HOST: 'fd00::2',
    REDIS_PASSWORD: password,
    REDIS_TLS: 'on',
  });
  const database = new URL(settings.DATABASE_URL ?? '');
  expect(decodeURIComponent(database.password)).toBe(password);
  expect(decodeURIComponent(database.username)).toBe('app@tenant');
  expect(database.host).toBe('db.internal:6432');
  expect(decodeURIComponent(database.pathname)).toBe('/my db');
  expect(database.searchParams.get('sslmode')).toBe('require');
  const redis = new URL(settings.REDIS_URL ?? '');
  expect([redis.protocol, redis.host, decodeURIComponent(redis.password)]).toEqual([
    'rediss:',
    '[fd00::2]',
    password,
  ]);
});

test.each([
  [{ DATABASE_HOST: 'db', DATABASE_USER: 'u' }, 'DATABASE_NAME must be set together with DATABASE_HOST.'],
  [{ DATABASE_HOST: 'db', DATABASE_NAME: 'n' }, 'DATABASE_USER must be set together with DATABASE_HOST.'],
  [{ DATABASE_PASSWORD: 'p' }, 'DATABASE_HOST must be set together with DATABASE_PASSWORD.'],
  [{ REDIS_TLS: 'on' }, 'REDIS_HOST must be set together with REDIS_TLS.'],
  [
    { REDIS_URL: 'redis://one', REDIS_HOST: 'two' },
    'REDIS_HOST must not be set together with REDIS_URL, which has all parts.',
  ],
  [
    { REDIS_HOST: 'redis:6379' },
    'REDIS_HOST is invalid: it is no host name. The port belongs to REDIS_PORT.',
  ],
  [{ REDIS_HOST: 'redis', REDIS_PORT: '0' }, 'REDIS_PORT is invalid: it is no whole number from 1 to 65535.'],
])('refuses the parts %j', (environment, sentence) => {
  expect(() => loadSettings(environment)).toThrow(new SettingsError(sentence));
});

test('the variables that Kubernetes sets for a Service named redis are no settings', () => {
  const settings = loadSettings({ REDIS_PORT: 'tcp://10.0.0.1:6379', DATABASE_PORT: 'tcp://10.0.0.2:5432' });
  expect([settings.REDIS_PORT, settings.REDIS_URL, settings.DATABASE_URL]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('each secret can come from a file', async () => {
  const folder = await temporaryDirectory('secrets');
  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const settings = loadSettings({
    AUTH_TOKEN_FILE: await write('token', 'token-of-sixteen-bytes\n'),
    DATABASE_HOST: 'db',
    DATABASE_NAME: 'n',
    DATABASE_USER_FILE: await write('user', 'app\n'),
    DATABASE_PASSWORD_FILE: await write('password', 'a/b\n'),
    REDIS_URL_FILE: await write('url', 'redis://:p@redis:6379\n'),
  });
  expect(settings).toMatchObject({
    AUTH_TOKEN: 'token-of-sixteen-bytes',
    DATABASE_URL: 'postgresql://app:a%2Fb@db/n',
    REDIS_URL: 'redis://:p@redis:6379',
  });
  const path = join(folder, 'token');
  const of = (file: string) => refusalOf({ AUTH_TOKEN_FILE: file });
  expect(refusalOf({ AUTH_TOKEN: 'x'.repeat(20), AUTH_TOKEN_FILE: path })).toBe(
    'Only one of AUTH_TOKEN and AUTH_TOKEN_FILE may be set.',
  );
  expect(of(join(folder, 'none'))).toBe('AUTH_TOKEN_FILE cannot be read: ENOENT.');
  expect(of(await write('empty', ''))).toBe('AUTH_TOKEN_FILE has only blanks or line breaks.');
  expect(of(await write('large', 'x'.repeat(65_537)))).toBe(
    'AUTH_TOKEN_FILE cannot be read: it has 65537 bytes, and the limit is 65536.',
  );
  expect(of(await write('binary', new Uint8Array([0xff, 0xfe])))).toBe(
    'AUTH_TOKEN_FILE cannot be read: it is not UTF-8.',
  );
  await mkdir(join(folder, 'folder'));
  expect(of(join(folder, 'folder'))).toBe('AUTH_TOKEN_FILE cannot be read: it is no regular file.');
  await promisify(execFile)('mkfifo', [join(folder, 'fifo')]);
  expect(of(join(folder, 'fifo'))).toBe('AUTH_TOKEN_FILE cannot be read: it is no regular file.');
});

test.runIf(process.geteuid?.() === 0)(
  'settings load for a user without a name and a home folder',
  async () => {
    const config = fileURLToPath(new URL('../src/config/index.ts', import.meta.url));
    const program = `
    const { loadSettings, requireDataDirectory } = await import(${JSON.stringify(config)});
    const settings = loadSettings(process.env);
    console.log(settings.PORT);
    try { requireDataDirectory(settings); } catch (error) { console.log(error.message); }`;
    const run = ['--reuid', '1001180000', '--regid', '0', '--clear-groups', process.execPath, '-e', program];
    const { stdout } = await promisify(execFile)('setpriv', run, {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(stdout).toBe(
      '8000\nDATA_DIR or DATABASE_URL must be set, because this user has no home folder.\n',
    );
  },
);
