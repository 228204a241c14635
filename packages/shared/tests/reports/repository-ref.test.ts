import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeRemote, normalizeSubpath } from '../../src/reports/catalog/repository-ref.ts';

test.each([
  ['HTTPS://GitHub.COM/Acme//Shop/./', 'https://github.com/Acme/Shop'],
  ['https://h', 'https://h'],
  ['https://h/', 'https://h'],
  ['https://h/./', 'https://h'],
  ['ssh://H:22/a.git', 'ssh://h:22/a.git'],
  ['https://h:0080/a', 'https://h:0080/a'],
  ['https://[::1]:22/a', 'https://[::1]:22/a'],
  ['git+ssh://H/%2E%2E/A', 'git+ssh://h/%2E%2E/A'],
  ['https://MÜNCHEN.de/a', 'https://mÜnchen.de/a'],
  ['github.com/acme/shop/', 'github.com/acme/shop'],
  ['github.com/acme//./shop', 'github.com/acme//./shop'],
  ['a/..', 'a/..'],
])('spec 30 §5.6.3: the remote %j is stored as %j', (remote, value) => {
  expect(normalizeRemote(remote)).toEqual({ value });
});

test.each([
  'https://u@h/r',
  'git@github.com:acme/shop',
  'https://h/r?x',
  'https://h/r#x',
  'https://h\\r',
  'a b',
  'a\u0085b',
  'a\u00a0b',
  'a\ufeffb',
  'a\u0001b',
  '1a://h/r',
  '://h/r',
  'a/b://h',
  'https:///a',
  'https://:80/a',
  'https://h:/a',
  'https://h:0/a',
  'https://h:65536/a',
  'https://h:8x/a',
  'https://h:1:2/a',
  'https://[::1/a',
  'https://h/a/../b',
  'https://h/..',
  '/',
  '///',
])('spec 30 §5.6.3: the remote %j is refused', (remote) => {
  expect(normalizeRemote(remote)).toHaveProperty('problem');
});

test.each([
  ['a\\b//./c/', 'a/b/c'],
  ['.', '.'],
  ['./', '.'],
  ['a b', 'a b'],
  ['a/C:', 'a/C:'],
  ['...', '...'],
])('spec 30 §5.6.3: the subpath %j is stored as %j', (subpath, value) => {
  expect(normalizeSubpath(subpath)).toEqual({ value });
});

test.each(['/a', '\\a', '..', 'a/../b', 'a\\..\\b', 'C:\\x', 'C:', './C:/x', 'a /', './ a'])(
  'spec 30 §5.6.3: the subpath %j is refused',
  (subpath) => {
    expect(normalizeSubpath(subpath)).toHaveProperty('problem');
  },
);

test('a normalized value is its own normal form', () => {
  const parts = fc.constantFrom(
    'a',
    'B',
    '/',
    '.',
    '..',
    '\\',
    ':',
    '://',
    'https',
    'h',
    ':80',
    '[',
    ']',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (texts) => {
      for (const normalize of [normalizeRemote, normalizeSubpath]) {
        const once = normalize(texts.join(''));
        if ('value' in once) expect(normalize(once.value)).toEqual(once);
      }
    }),
  );
});
