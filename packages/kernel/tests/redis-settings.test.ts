import { expect, test } from 'vitest';
import { loadSettings, SettingsError } from '../src/config/load.ts';
import { queueStoreOf } from '../src/queue/backend.ts';

const url = 'redis://redis:6379';

test('Sentinels and nodes are host:port, with IPv6 in brackets', () => {
  const load = (list: string) => loadSettings({ REDIS_URL: url, REDIS_SENTINELS: list }).REDIS_SENTINELS;
  expect(load('one:26379, [fd00::2]:26380')).toEqual([
    { host: 'one', port: 26379 },
    { host: 'fd00::2', port: 26380 },
  ]);
  for (const wrong of ['one', 'one:', 'one:x', 'fd00::2:1', 'one:1,,two:2', 'one:1 two:2'])
    expect(() => load(wrong), wrong).toThrow('REDIS_SENTINELS is invalid');
});

test.each([
  [{ REDIS_SENTINELS: 'one:1' }, 'REDIS_URL must be set together with REDIS_SENTINELS.'],
  [{ REDIS_CLUSTER_NODES: 'one:1' }, 'REDIS_URL must be set together with REDIS_CLUSTER_NODES.'],
  [
    { REDIS_URL: url, REDIS_SENTINEL_PASSWORD: 'secret' },
    'REDIS_SENTINELS must be set together with REDIS_SENTINEL_PASSWORD.',
  ],
  [
    { REDIS_URL: url, REDIS_SENTINELS: 'one:1', REDIS_CLUSTER_NODES: 'one:1' },
    'Only one of REDIS_SENTINELS and REDIS_CLUSTER_NODES may be set.',
  ],
  [
    { REDIS_URL: url, REDIS_TLS_CA_FILE: 'ca.pem' },
    'REDIS_URL must begin with rediss: if REDIS_TLS_CA_FILE is set.',
  ],
  [
    { REDIS_URL: 'rediss://redis', REDIS_TLS_CERT_FILE: 'cert.pem' },
    'REDIS_TLS_KEY_FILE must be set together with REDIS_TLS_CERT_FILE.',
  ],
  [
    { DATABASE_DIRECT_URL: 'postgresql://db/continuity' },
    'DATABASE_URL must be set together with DATABASE_DIRECT_URL.',
  ],
])('refuses %j', (environment, sentence) => {
  expect(() => loadSettings(environment)).toThrow(new SettingsError(sentence));
});

test('a certificate that cannot be read is an invalid setting, and its path is not shown', () => {
  const settings = loadSettings({ REDIS_URL: 'rediss://redis', REDIS_TLS_CA_FILE: '/nowhere/ca.pem' });
  expect(() => queueStoreOf(settings, '')).toThrow(
    new SettingsError('REDIS_TLS_CA_FILE cannot be read: ENOENT.'),
  );
});

test('the keys of a cluster share one slot', () => {
  const single = { REDIS_URL: url, QUEUE_PREFIX: 'blue' };
  expect(queueStoreOf(loadSettings(single), '').prefix).toBe('blue');
  expect(queueStoreOf(loadSettings({ ...single, REDIS_CLUSTER_NODES: 'one:1' }), '').prefix).toBe('{blue}');
});
