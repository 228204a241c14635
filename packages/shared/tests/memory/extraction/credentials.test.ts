import { describe, expect, test } from 'vitest';
import { hasCredentialOrMask } from '../../../src/memory/extraction/builtin/credential-mask.ts';
import { textsIn } from './statements.ts';

const RANDOM = 'wJalrXUtnFEMI7K7MDENG2bPxRfiCYEXAMPLEKEY';

describe('spec 20 X4: credentials', () => {
  test.each([
    `AWS_SECRET_ACCESS_KEY=${RANDOM}`,
    'aws_access_key_id is AKIAIOSFODNN7EXAMPLE',
    'password = hunter2',
    'password: "correct horse"',
    '"dbPassword": "hunter2"',
    'The password is hunter2.',
    'We set the passphrase to Tr0ub4dor&3',
    'mysql --password hunter2',
    'DATABASE_URL is postgresql://app:s3cret@db:5432/main',
    'clientSecret := abc',
    'api-key: abcdef',
    'Authorization: Bearer abcdefghij0123456789',
    `ghp_${'a1B2'.repeat(9)}`,
    'sk-proj-abcdefghijklmnop1234',
    'xoxb-123456789012-abcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
    'https://hooks.slack.com/services/T000/B000/XXXX',
    'https://x.example/?a=1&X-Amz-Signature=abcdef0123',
    '密码\uFF1Aabc123',
    '密码是 abc123',
    `Use ${RANDOM} here`,
    'a hex key 9f86d081884c7d659a2feaa0c55ad015 here',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----',
  ])('%s', (text) => {
    expect(hasCredentialOrMask(text)).toBe(true);
  });

  test.each([
    'Never log tokens.',
    'The password must be rotated every 90 days.',
    'Password: must be at least 12 characters long.',
    'Tokens are stored hashed.',
    'The access token expires after 3600 seconds.',
    'max_tokens = 100',
    'We deploy commit 4f1c2a9d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39 today.',
    'The digest is sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.',
    'Scope 0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4 is the default.',
    'Call getUserAccountInformationFromDatabase in packages/shared/src/memory/extraction/index.ts.',
    '密码必须定期更换。',
  ])('no credential: %s', (text) => {
    expect(hasCredentialOrMask(text)).toBe(false);
  });

  test('no entry holds the value, whatever stands around it and wherever sentences end in it', async () => {
    const secrets = [
      `We decided to use S3. AWS_SECRET_ACCESS_KEY=${RANDOM}\nNever log tokens.`,
      `We decided to use S3.\n\n- Password: "my. Secret phrase never known" and more\n- Never log tokens.`,
      'We decided to use S3.\n\nPassword:\nhunter2\n\nNever log tokens.',
      `We decided to use S3.\n-----BEGIN RSA PRIVATE KEY-----\nnever ${RANDOM}\n-----END RSA PRIVATE KEY-----\nNever log tokens.`,
    ];
    for (const source of secrets) {
      const texts = await textsIn(source);
      expect(texts).toContain('We decided to use S3.');
      expect(texts.join('\n')).not.toMatch(/wJalr|Secret phrase|hunter2|BEGIN/);
    }
  });

  test('a field that is named like a secret yields nothing', async () => {
    expect(await textsIn({ password: 'hunter2', note: 'Never log tokens.' })).toEqual(['Never log tokens.']);
    expect(await textsIn({ env: { DB_SECRET_KEY: ['never', 'must'] } })).toEqual([]);
  });

  test('a Source that is nothing but a credential yields nothing', async () => {
    for (const source of [
      `AWS_SECRET_ACCESS_KEY=${RANDOM}`,
      'Password: hunter2',
      'Password:\nhunter2',
      RANDOM,
    ]) {
      expect([source, await textsIn(source)]).toEqual([source, []]);
    }
    expect(await textsIn({ env: { note: `token is ${RANDOM}` } })).toEqual([]);
  });
});
