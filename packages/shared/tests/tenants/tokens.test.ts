import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '@continuity/kernel/config';
import { loadTokens } from '@continuity/shared/tenants';
import { afterAll, expect, test } from 'vitest';

const directory = await mkdtemp(join(tmpdir(), 'continuity-tokens-'));
const file = join(directory, 'tokens.json');

afterAll(() => rm(directory, { recursive: true }));

const entry = (tenant: string, token: string) => ({
  tenant,
  token_sha256: createHash('sha256').update(token).digest('hex'),
});

async function load(content: unknown): ReturnType<typeof loadTokens> {
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadTokens({ AUTH_TOKENS_FILE: file });
}

test.each<[string, unknown]>([
  ['no JSON', 'tokens: []'],
  ['no tokens', { tokens: [] }],
  ['a token that is not hashed', { tokens: [{ tenant: 'a', token_sha256: 'secret-token-value' }] }],
  ['an upper-case hash', { tokens: [{ tenant: 'a', token_sha256: 'A'.repeat(64) }] }],
  ['no tenant', { tokens: [{ token_sha256: 'a'.repeat(64) }] }],
  ['an unknown field', { tokens: [entry('a', 'x1')], other: true }],
  ['an operator of a tenant', { tokens: [{ ...entry('a', 'x1'), role: 'operator' }] }],
  ['an unknown role', { tokens: [{ role: 'admin', token_sha256: 'a'.repeat(64) }] }],
  ['a blank label', { tokens: [{ ...entry('a', 'x1'), label: ' ' }] }],
  ['a label of 65 characters', { tokens: [{ ...entry('a', 'x1'), label: 'x'.repeat(65) }] }],
  ['a label of an operator', { tokens: [{ role: 'operator', label: 'x', token_sha256: 'a'.repeat(64) }] }],
  [
    'two tokens of a tenant with one label',
    {
      tokens: [
        { ...entry('a', 'x1'), label: 'ci' },
        { ...entry('a', 'x2'), label: 'ci' },
      ],
    },
  ],
  ['one token twice', { tokens: [entry('a', 'x1'), entry('b', 'x1')] }],
])('a tokens file with %s is refused with a sentence', async (_name, content) => {
  const error = await load(content).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(SettingsError);
  expect(String(error)).toMatch(/^SettingsError: AUTH_TOKENS_FILE .*\.$/);
  expect(String(error)).not.toContain('secret-token-value');
});

test.each(['', 'test', 'test2', 'password', 'changeme', 'test\n'])(
  'the hash of the well-known token %j is refused, and the sentence names its place',
  async (token) => {
    const content = { tokens: [entry('a', 'a-token-that-nobody-guesses'), entry('b', token)] };
    await expect(load(content)).rejects.toThrow(/^AUTH_TOKENS_FILE holds the hash .* tokens\[1\]\./);
  },
);

test('a well-known AUTH_TOKEN is refused', async () => {
  await expect(loadTokens({ AUTH_TOKEN: 'passwordpassword' })).rejects.toThrow(/^AUTH_TOKEN is a token/);
});

test('the example of the guide is refused as it stands', async () => {
  const guide = await readFile(new URL('../../../../docs/authentication.md', import.meta.url), 'utf8');
  const example = /```json\n(.*?)```/s.exec(guide)?.[1] ?? '';
  expect(JSON.parse(example)).toHaveProperty('tokens');
  await expect(load(example)).rejects.toThrow(/^AUTH_TOKENS_FILE must contain/);
});

test('a tokens file holds tokens of tenants and of the role operator', async () => {
  const { token_sha256: sha256 } = entry('', 'a-token-of-an-operator');
  const tokens = [entry('a', 'x1'), { role: 'operator', token_sha256: sha256 }];
  expect(await load({ tokens })).toEqual([
    { sha256: entry('a', 'x1').token_sha256, tenant: 'a' },
    { sha256, role: 'operator' },
  ]);
});

test('spec 40 §4: a label names a token; two tenants may use the same one', async () => {
  const tokens = [
    { ...entry('a', 'x1'), label: 'ci' },
    { ...entry('b', 'x2'), label: 'ci' },
    { ...entry('a', 'x3'), label: '😀'.repeat(64) },
    entry('a', 'x4'),
  ];
  expect((await load({ tokens })).map((token) => 'label' in token && token.label)).toEqual([
    'ci',
    'ci',
    '😀'.repeat(64),
    false,
  ]);
});
