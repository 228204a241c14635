import { skillContentInput } from '@continuity/contract/skills';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArchive, writeArchive } from '../src/canonical-archive.ts';
import { entrypoint, inCanonicalOrder, type PackageFile } from '../src/files.ts';
import { buildPackage, packageOf } from '../src/package.ts';
import type { SkillFields } from '../src/skill-file/fields.ts';
import { findFieldIssues, readSkillFile } from '../src/skill-file/skill-file.ts';

const fields = (more: Partial<SkillFields> = {}): SkillFields => ({
  name: 'hello',
  description: 'Say hello.',
  instructions: 'Say hello.',
  license: null,
  compatibility: null,
  metadata: {},
  allowed_tools: null,
  ...more,
});

const file = (path: string, text: string, executable = false): PackageFile => ({
  path,
  executable,
  bytes: Buffer.from(text),
});

describe('spec 40 §5.4: the canonical form', () => {
  test('the vector of one file', () => {
    const text = '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n';
    const { ref, list, archive } = packageOf([file(entrypoint, text)], fields());
    expect(list).toEqual([
      {
        path: 'SKILL.md',
        digest: '2266d5a037bb13ebcc3c5db01fae36d2915638b7f14f6ac1aed8137698a23a0d',
        size: 56,
        executable: false,
      },
    ]);
    expect(ref).toEqual({
      tree_digest: '8ead503b039bd26a77b1aa93335462409f967b623f91430eaf43138083d6b429',
      archive_digest: 'cd567f4cd6e2a49b8cd2f0c0b3fcb978dbf32a8a398d6e925f84130a329c9b9c',
      file_count: 1,
      uncompressed_size: 56,
      archive_size: 170,
    });
    expect(archive.toString('base64')).toBe(
      'UEsDBBQAAAgAAAAAIQBGzgGpOAAAADgAAAAIAAAAU0tJTEwubWQtLS0KbmFtZTogaGVsbG8KZGVzY3JpcHRpb246IFNheSBoZWxsby4KLS0tCgpTYXkgaGVsbG8uClBLAQIUAxQAAAgAAAAAIQBGzgGpOAAAADgAAAAIAAAAAAAAAAAAAACkgQAAAABTS0lMTC5tZFBLBQYAAAAAAQABADYAAABeAAAAAAA=',
    );
  });

  test('the vector with an executable file, in any order of files', () => {
    const skill =
      '---\nname: release-check\ndescription: Verify a release before it is published.\nlicense: Apache-2.0\n---\n\n' +
      'Run scripts/verify.sh and read its report.\n';
    const files = [file('scripts/verify.sh', '#!/bin/sh\nexit 0\n', true), file(entrypoint, skill)];
    const expected = {
      tree_digest: '0a9e28acd44bcf7406f5b521a1cf8b439a0540ad8b265959e5cddc9c692d1182',
      archive_digest: '2ab3d2d24caa99ee245367015fd9e1a2de282554a2712b1b5611b7dd91de614f',
      file_count: 2,
      uncompressed_size: 163,
      archive_size: 387,
    };
    expect(packageOf(files, fields()).ref).toEqual(expected);
    expect(packageOf(files.toReversed(), fields()).ref).toEqual(expected);
  });

  test('files are ordered by the bytes of their paths, not by UTF-16 units', () => {
    const paths = ['\u{1f600}', '\uff21', 'b', 'B', 'a/b', 'a.b', 'a'];
    const ordered = inCanonicalOrder(paths.map((path) => file(path, 'x'))).map(({ path }) => path);
    expect(ordered).toEqual(['B', 'a', 'a.b', 'a/b', 'b', '\uff21', '\u{1f600}']);
  });

  const trees = fc.uniqueArray(
    fc.record({
      path: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      executable: fc.boolean(),
      bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    }),
    { selector: ({ path }) => path, minLength: 1, maxLength: 8 },
  );

  test('an archive reads back as the files that were written', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const files = inCanonicalOrder(tree);
        const read = readArchive(writeArchive(files));
        expect(read).toEqual(files);
      }),
    );
  });

  test('two trees have the same digest only if they are equal', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, which) => {
        const { ref } = packageOf(tree, fields());
        const changed = tree.map((one, index) =>
          index === which % tree.length ? { ...one, executable: !one.executable } : one,
        );
        expect(packageOf(changed, fields()).ref.tree_digest).not.toBe(ref.tree_digest);
        expect(packageOf(tree.toReversed(), fields()).ref).toEqual(ref);
      }),
    );
  });
});

describe('spec 40 §5.5: a package built from fields', () => {
  test('the vector', () => {
    const {
      ref,
      fields: written,
      files,
    } = buildPackage(
      fields({
        name: 'openapi-change',
        description: 'Use when the public HTTP contract changes.',
        instructions: 'Regenerate the client, read the diff, run the contract tests.',
      }),
      ['contract tests pass'],
    );
    expect(files[0]?.bytes.length).toBe(190);
    expect(ref.tree_digest).toBe('99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec');
    expect(written.instructions).toBe(
      'Regenerate the client, read the diff, run the contract tests.\n\n## Validation\n\n- contract tests pass',
    );
  });

  test('every field, in the order and spelling of the format', () => {
    const { files } = buildPackage(
      fields({
        license: 'MIT "or" Apache',
        compatibility: 'Line one\nline two',
        metadata: { b: '1', a: '\u0085', '\u{1f600}': 'last', '\uff21': 'before it' },
        allowed_tools: 'Bash(git:*)',
        instructions: '\n\n  Indented.\n\nText. \u3000\n',
      }),
      ['one', 'two'],
    );
    expect(files[0]?.bytes.toString()).toBe(
      [
        '---',
        'name: "hello"',
        'description: "Say hello."',
        'license: "MIT \\"or\\" Apache"',
        'compatibility: "Line one\\nline two"',
        'metadata:',
        '  "a": "\\u0085"',
        '  "b": "1"',
        '  "\uff21": "before it"',
        '  "\u{1f600}": "last"',
        'allowed-tools: "Bash(git:*)"',
        '---',
        '',
        '',
        '',
        '  Indented.',
        '',
        'Text.',
        '',
        '## Validation',
        '',
        '- one',
        '- two',
        '',
      ].join('\n'),
    );
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constant('---\n'),
  );
  const checks = fc.array(anyText.filter((text) => text.isWellFormed() && !text.includes('\0')));
  const optional = fc.option(anyText);
  const key = fc.oneof(
    anyText,
    fc.constantFrom('__proto__', 'constructor', '<<', 'null', '- x', '#', 'a: b'),
  );
  const anyFields = fc
    .record({
      name: fc.constant('a-b'),
      description: anyText,
      instructions: anyText,
      license: optional,
      compatibility: optional,
      metadata: fc.array(fc.tuple(key, anyText)).map((entries) => Object.fromEntries(entries)),
      allowed_tools: optional,
    })
    // What a request may hold: text that has a UTF-8 form, and the shape of the fields.
    .filter((one) => JSON.stringify(one).isWellFormed() && !JSON.stringify(one).includes('\\u0000'))
    .filter((one) => skillContentInput.safeParse({ ...one, validation: [] }).success);

  test('a reader of SKILL.md finds every field unchanged', () => {
    fc.assert(
      fc.property(anyFields, checks, (given, validation) => {
        const { files, fields } = buildPackage(given, validation);
        expect(readSkillFile(files[0]?.bytes ?? Buffer.alloc(0))).toEqual(fields);
        expect({ ...fields, instructions: '' }).toEqual({ ...given, instructions: '' });
      }),
      { numRuns: 500 },
    );
  });

  test('the fields of a package give the same package again', () => {
    fc.assert(
      fc.property(anyFields, checks, (given, validation) => {
        const once = buildPackage(given, validation).fields;
        const again = buildPackage(once, []);
        expect(again.fields).toEqual(once);
        expect(buildPackage(again.fields, []).ref).toEqual(again.ref);
      }),
    );
  });

  test('a field outside the standard is reported at its path', () => {
    const pathsOf = (more: Partial<SkillFields>, validation: string[] = []) =>
      findFieldIssues(fields(more), validation).map(({ path }) => path);
    for (const name of ['a', 'a-1', 'x'.repeat(64)]) expect(pathsOf({ name })).toEqual([]);
    for (const name of ['Bad Name', 'a--b', '-a', 'a-', 'a_b', 'é', 'x'.repeat(65)]) {
      expect(pathsOf({ name })).toEqual(['name']);
    }
    expect(pathsOf({ description: '😀'.repeat(1024) })).toEqual([]);
    expect(pathsOf({ description: 'x'.repeat(1025) })).toEqual(['description']);
    expect(pathsOf({ instructions: ' \n' })).toEqual(['instructions']);
    expect(pathsOf({ instructions: ' \n' }, ['one'])).toEqual([]);
    const around = buildPackage(fields({ instructions: '' }), []).ref.uncompressed_size;
    expect(pathsOf({ instructions: 'x'.repeat(131_072 - around) })).toEqual([]);
    expect(pathsOf({ instructions: 'x'.repeat(131_073 - around) })).toEqual(['instructions']);
  });
});
