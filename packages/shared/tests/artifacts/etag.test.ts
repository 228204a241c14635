import { cpuTimeOf } from '@continuity/testing';
import { describe, expect, test } from 'vitest';
import { etagOf, hasStrongMatch, hasWeakMatch } from '../../src/artifacts/etag.ts';

const etag = '"2-3fbf283f93390231a02e1a4c56745ca5"';

test('spec 10 §6.1.9, §6.5: the tag of the example', () => {
  const ref = { family: 'memory', artifact_id: 'memory', revision: 2 };
  const digest = '96c9467f9a9047ac499e4ff75365684ec9073baf6c5511a07c24e4b01b63be84';
  expect(etagOf('project:atlas-billing', ref, digest)).toBe(etag);
  expect(etagOf('project:atlas', ref, digest)).not.toBe(etag);
});

describe('lists of tags', () => {
  test.each([
    [etag, true],
    [`"a,b", ${etag}`, true],
    [`,,\t${etag} ,`, true],
    [`W/"x",${etag}`, true],
    [`W/${etag}`, false],
    ['*', false],
    [`*, ${etag}`, false],
    [etag.slice(1, -1), false],
    [`"x" ${etag}`, false],
    [`${etag}"`, false],
    [`"a\\${etag}`, false],
    ['', false],
  ])('If-Match %s matches: %s', (header, expected) => {
    expect(hasStrongMatch(header, etag)).toBe(expected);
  });

  test.each([
    [etag, true],
    [`W/${etag}`, true],
    [' * ', true],
    [`"other", W/${etag}`, true],
    ['"other"', false],
    [`w/${etag}`, false],
    [etag.slice(1, -1), false],
  ])('If-None-Match %s matches: %s', (header, expected) => {
    expect(hasWeakMatch(header, etag)).toBe(expected);
  });

  test('a hostile header costs no more than its length', async () => {
    const hostile = [
      `${' '.repeat(16_000)}x`,
      `"a"${' \t'.repeat(8_000)}x`,
      `${'"",'.repeat(5_000)}x`,
      '"'.repeat(16_001),
    ];
    const cpuMs = await cpuTimeOf(() => {
      for (const header of hostile) expect(hasStrongMatch(header, etag)).toBe(false);
    });
    expect(cpuMs).toBeLessThan(250);
  });
});
