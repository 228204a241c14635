import { cpuTimeOf } from '@continuity/testing';
import { describe, expect, test } from 'vitest';
import { InvalidPackageError, readSkillFile } from '../src/index.ts';

const file = (front: string, body = '\nDo it.\n') =>
  Buffer.from(`---\nname: hello\ndescription: Say hello.\n${front}---\n${body}`);

/** The field that is at fault; undefined for a valid file. */
function faultOf(bytes: Buffer | string): string | null | undefined {
  try {
    readSkillFile(Buffer.from(bytes));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error;
    expect([error.reason, error.entry]).toEqual(['invalid_entrypoint', 'SKILL.md']);
    return error.field;
  }
}

const fields = (front: string) => readSkillFile(file(front));

describe('spec 40 §5.3.1: front matter and instructions', () => {
  test.each<[string, string]>([
    ['LF', '---\nname: a\ndescription: b\n---\nDo it.'],
    ['CRLF', '---\r\nname: a\r\ndescription: b\r\n---\r\nDo it.\r\n'],
    ['white space after the lines', '--- \t\nname: a\ndescription: b\n---\t \n\n\r\n\nDo it. \n\u3000\n'],
  ])('%s', (_what, text) => {
    expect(readSkillFile(Buffer.from(text))).toMatchObject({
      name: 'a',
      description: 'b',
      instructions: 'Do it.',
    });
  });

  test('instructions may be empty, and keep white space at their start', () => {
    expect(readSkillFile(Buffer.from('---\nname: a\ndescription: b\n---')).instructions).toBe('');
    expect(readSkillFile(file('', '\n  Indented.\n---\nMore.\n')).instructions).toBe(
      '  Indented.\n---\nMore.',
    );
  });

  test('the next line --- ends the front matter, also inside a block scalar', () => {
    expect(faultOf('---\nname: a\ndescription: |\n  b\n---\n  c\n---\n')).toBeUndefined();
    expect(
      readSkillFile(Buffer.from('---\nname: a\ndescription: |\n  b\n---\n  c\n---\n')).instructions,
    ).toBe('  c\n---');
  });

  test.each<[string, Buffer | string]>([
    ['0 bytes', ''],
    ['131,073 bytes', file('', 'x'.repeat(131_073 - file('', '').length))],
    ['a byte-order mark', `\uFEFF${file('')}`],
    ['NUL', file('', 'a\0b')],
    ['bytes that are not UTF-8', Buffer.concat([file(''), Buffer.from([0xff])])],
    ['no front matter', '# Hello\n'],
    ['a line before it', `\n${file('')}`],
    ['white space before it', ` ${file('')}`],
    ['no end of it', '---\nname: a\ndescription: b\n'],
    ['an indented end of it', '---\nname: a\ndescription: b\n ---\n'],
    ['more than three hyphens', '----\nname: a\ndescription: b\n----\n'],
  ])('%s is refused', (_what, bytes) => {
    expect(faultOf(bytes)).toBeNull();
  });

  test('131,072 bytes are accepted', () => {
    expect(faultOf(file('', 'x'.repeat(131_072 - file('', '').length)))).toBeUndefined();
  });
});

describe('spec 40 §5.3.2: YAML', () => {
  test.each<[string, string]>([
    ['an anchor', 'x: &a b\n'],
    ['an alias', 'x: &a b\ny: *a\n'],
    ['a tag', 'x: !!str b\n'],
    ['the tag !', 'x: ! b\n'],
    ['a merge key', '<<: {a: b}\n'],
    ['a merge key inside', 'x:\n  <<: {a: b}\n'],
    ['a key twice', 'x: a\nx: b\n'],
    ['a key twice in two spellings', 'x: a\n"x": b\n'],
    ['a key twice inside', 'x: {a: b, a: c}\n'],
    ['a number as a key', '1: b\n'],
    ['a boolean as a key', 'true: b\n'],
    ['null as a key', '~: b\n'],
    ['a list as a key', '? [a]\n: b\n'],
    ['a number as a key inside', 'metadata: {1: b}\n'],
    ['a control character', 'x: "a\u0007b"\n'],
    ['DEL', 'x: a\u007fb\n'],
    ['a C1 control character', 'x: a\u0080b\n'],
    ['nine levels', 'x: [[[[[[[[a]]]]]]]]\n'],
    ['a second document', '...\na: b\n'],
    ['no YAML', 'x: [a\n'],
  ])('%s is refused', (_what, front) => {
    expect(faultOf(file(front))).toBeNull();
  });

  test.each(['- a\n', 'just text\n', '', '# only\n', '---\n'])('%j is no mapping', (front) => {
    expect(faultOf(`---\n${front}---\n`)).toBeNull();
  });

  test.each<[string, string]>([
    ['a quoted <<', '"<<": b\n'],
    ['eight levels', 'x: [[[[[[[a]]]]]]]\n'],
    ['other keys of any type', 'x: 1\ny: [true, null, {z: 1.5}]\n'],
    ['a key that objects have', '__proto__: b\nconstructor: c\n'],
    ['a comment', '# what\nx: b # this\n'],
    ['U+0085', 'x: a\u0085b\n'],
  ])('%s is accepted', (_what, front) => {
    expect(faultOf(file(front))).toBeUndefined();
  });
});

describe('spec 40 §5.3.3: fields', () => {
  test('scalars may be plain, quoted or blocks, and null counts as left out', () => {
    expect(
      fields(
        'license: >\n  Apache\n  2.0\n\ncompatibility: |\n  One\n  two\nallowed-tools: "a\\tb"\n'.replace(
          '\\t',
          ' ',
        ),
      ),
    ).toMatchObject({ license: 'Apache 2.0', compatibility: 'One\ntwo', allowed_tools: 'a b' });
    expect(fields('license:\nmetadata: ~\ncompatibility: null\n')).toMatchObject({
      license: null,
      compatibility: null,
      metadata: {},
    });
  });

  test('metadata keeps its values as they are, and keys that objects have are data', () => {
    const { metadata } = fields(
      'metadata:\n  __proto__: x\n  a: ""\n  b: |\n    line\n  c: " y "\n  "1": z\n',
    );
    expect(Object.entries(metadata)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'x'],
        ['a', ''],
        ['b', 'line\n'],
        ['c', ' y '],
        ['1', 'z'],
      ]),
    );
  });

  const long = (length: number) => '😀'.repeat(length);
  test.each<[string, string, string]>([
    ['no name', '---\ndescription: b\n---\n', 'name'],
    ['a name of null', '---\nname:\ndescription: b\n---\n', 'name'],
    ['a name that is no slug', '---\nname: Foo_Bar\ndescription: b\n---\n', 'name'],
    ['a name of 65', `---\nname: ${'x'.repeat(65)}\ndescription: b\n---\n`, 'name'],
    ['a name that is a number', '---\nname: 42\ndescription: b\n---\n', 'name'],
    ['a faulty name before a faulty description', '---\nname: A\ndescription: 1\n---\n', 'name'],
    ['no description', '---\nname: a\n---\n', 'description'],
    ['a description of 1,025', `---\nname: a\ndescription: ${long(1025)}\n---\n`, 'description'],
    ['a description that is a list', '---\nname: a\ndescription: [b]\n---\n', 'description'],
    ['a description with a bell', '---\nname: a\ndescription: "a\\ab"\n---\n', 'description'],
    ['a description that begins with a space', '---\nname: a\ndescription: " b"\n---\n', 'description'],
    ['a description of line breaks', '---\nname: a\ndescription: "\\n\\n"\n---\n', 'description'],
    ['a license of 513', String(file(`license: ${long(513)}\n`)), 'license'],
    ['an empty license', String(file('license: ""\n')), 'license'],
    ['a license that is a boolean', String(file('license: true\n')), 'license'],
    ['a compatibility of 501', String(file(`compatibility: ${long(501)}\n`)), 'compatibility'],
    ['tools of 2,001', String(file(`allowed-tools: ${long(2001)}\n`)), 'allowed-tools'],
    ['tools as a list', String(file('allowed-tools: [a]\n')), 'allowed-tools'],
    ['metadata with a number', String(file('metadata: {a: 1}\n')), 'metadata'],
    ['metadata with null', String(file('metadata: {a: }\n')), 'metadata'],
    ['metadata that is a list', String(file('metadata: [a]\n')), 'metadata'],
    ['metadata that is text', String(file('metadata: a\n')), 'metadata'],
    ['metadata with an empty key', String(file('metadata: {"": a}\n')), 'metadata'],
    ['metadata with a key that ends with a space', String(file('metadata: {"a ": b}\n')), 'metadata'],
    ['metadata with a key of 129', String(file(`metadata: {${'k'.repeat(129)}: b}\n`)), 'metadata'],
    ['metadata with a value of 2,001', String(file(`metadata: {a: ${long(2001)}}\n`)), 'metadata'],
    ['metadata with a tab in a value', String(file('metadata: {a: "b\\tc"}\n')), 'metadata'],
    ['metadata with NUL in a key', String(file('metadata: {"a\\0": b}\n')), 'metadata'],
    ['a lone surrogate', String(file('license: "\\ud800"\n')), 'license'],
    [
      'metadata of 65 entries',
      String(file(`metadata:\n${Array.from({ length: 65 }, (_, n) => `  k${n}: v\n`).join('')}`)),
      'metadata',
    ],
  ])('%s is a fault of its field', (_what, text, field) => {
    expect(faultOf(text)).toBe(field);
  });

  test('the largest fields are accepted', () => {
    const most = `license: ${long(512)}\ncompatibility: ${long(500)}\nallowed-tools: ${long(2000)}\n`;
    const metadata = `metadata:\n${Array.from({ length: 60 }, (_, n) => `  k${n}: v\n`).join('')}  l: ${long(2000)}\n`;
    expect(faultOf(file(most + metadata))).toBeUndefined();
    expect(faultOf(`---\nname: ${'x'.repeat(64)}\ndescription: ${long(1024)}\n---\n`)).toBeUndefined();
  });
});

test.each<[string, string]>([
  ['open lists', '['.repeat(130_000)],
  ['many keys', Array.from({ length: 18_000 }, (_, n) => `k${n}: `).join('\n')],
  ['one key many times', 'a:\n'.repeat(43_000)],
  ['commas', `[${','.repeat(130_000)}]`],
  ['anchors', '&a '.repeat(43_000)],
  ['nested keys', '? '.repeat(65_000)],
  ['inner line breaks', `name: a\ndescription: |\n${'\n'.repeat(130_000)}  a`],
])('a front matter of %s takes linear time', async (_what, front) => {
  const bytes = Buffer.from(`---\n${front.slice(0, 131_000)}\n---\n`);
  expect(await cpuTimeOf(() => expect(faultOf(bytes)).not.toBeUndefined())).toBeLessThan(3_000);
});
