import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { extraField, type ZipEntry, type ZipOptions, zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { decodeBase64, InvalidPackageError, openUpload } from '../src/index.ts';

const skillFile: ZipEntry = {
  name: 'SKILL.md',
  content: '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n',
};

/** How an archive is refused: reason and entry; undefined for one that is accepted. */
function refusalOf(archive: Buffer): [string, string | null] | undefined {
  try {
    openUpload(archive);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error;
    return [error.reason, error.entry];
  }
}

const refusalWith = (entry: ZipEntry, options?: ZipOptions) => refusalOf(zip([skillFile, entry], options));

const text = (name: string): ZipEntry => ({ name, content: 'x' });

test('a valid archive is accepted, with its directories dropped', () => {
  const archive = zip([
    { name: 'docs/' },
    { ...skillFile, method: 8 },
    {
      name: 'docs/a.md',
      content: 'text',
      directory: { extra: extraField(0x5455, Buffer.alloc(5)), time: 7 },
    },
    { name: '.hidden', content: '' },
    { name: 'run.sh', content: '#!/bin/sh\n', mode: 0o100711 },
  ]);
  const opened = openUpload(archive);
  expect(opened.list.map(({ path, executable }) => [path, executable])).toEqual([
    ['.hidden', false],
    ['SKILL.md', false],
    ['docs/a.md', false],
    ['run.sh', true],
  ]);
  expect(openUpload(opened.archive).ref).toEqual(opened.ref);
  expect(openUpload(opened.archive).archive.equals(opened.archive)).toBe(true);
});

describe('spec 40 §5.2: base64', () => {
  test.each([
    ['white space', 'UEsD\nBBQ='],
    ['the URL alphabet', 'UE-_'],
    ['no padding', 'UEs'],
    ['bits after the end', 'UEt='],
    ['another letter', 'UE§D'],
    ['padding inside', 'UE==UEsD'],
  ])('%s is invalid_base64', (_what, spelled) => {
    expect(() => decodeBase64(spelled)).toThrow(expect.objectContaining({ reason: 'invalid_base64' }));
  });

  test('standard base64 is decoded', () => {
    const bytes = randomBytes(1_000);
    expect(decodeBase64(bytes.toString('base64')).equals(bytes)).toBe(true);
  });
});

describe('spec 40 §5.2: not_a_zip', () => {
  const valid = zip([skillFile]);
  const cut = Buffer.from(valid);
  cut.writeUInt32LE(0, 0);
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('no archive')],
    ['an empty archive', zip([])],
    ['a truncated archive', valid.subarray(0, -1)],
    ['bytes after the end', Buffer.concat([valid, Buffer.from('x')])],
    ['no end record', valid.subarray(0, -22)],
    ['bytes before the first entry', zip([skillFile], { prefix: Buffer.from('#!') })],
    ['no local header at the start', cut],
    ['two end records', zip([skillFile], { comment: zip([]) })],
    ['another disk', zip([skillFile], { end: { disk: 1 } })],
    ['an entry on another disk', zip([{ ...skillFile, directory: { disk: 1 } }])],
    ['two counts', zip([skillFile], { end: { countHere: 1, count: 2 } })],
    ['a count over the records', zip([skillFile], { end: { count: 2 } })],
    ['a count under the records', zip([skillFile, text('a')], { end: { count: 1 } })],
    ['bytes between directory and end record', zip([skillFile], { beforeEnd: Buffer.from('xx') })],
    ['a directory that begins elsewhere', zip([skillFile], { end: { directoryOffset: 3 } })],
    ['an entry beyond the directory', zip([{ ...skillFile, offset: 100_000 }])],
    ['content that reaches into the directory', zip([{ ...skillFile, directory: { compressedSize: 60 } }])],
    ['an offset without a local header', zip([skillFile, { ...text('a'), offset: 5 }])],
  ])('%s', (_what, archive) => {
    expect(refusalOf(archive)).toEqual(['not_a_zip', null]);
  });

  test('a comment that holds another end record, and does not end with it, is accepted', () => {
    expect(
      refusalOf(zip([skillFile], { comment: Buffer.concat([zip([]), Buffer.from('x')]) })),
    ).toBeUndefined();
  });

  test('bytes between entries are dropped', () => {
    expect(refusalOf(zip([skillFile], { afterEntries: Buffer.alloc(100) }))).toBeUndefined();
  });
});

describe('spec 40 §5.1: counts and sizes', () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => text(`f${index}`));
  const folders = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `d${index}/` }));

  test('256 files and 1,024 records are accepted, one more of either is not', () => {
    expect(refusalOf(zip([skillFile, ...files(255)]))).toBeUndefined();
    expect(refusalOf(zip([skillFile, ...files(256)]))).toEqual(['too_many_files', null]);
    expect(refusalOf(zip([skillFile, ...folders(1023)]))).toBeUndefined();
    expect(refusalOf(zip([skillFile, ...folders(1024)]))).toEqual(['too_many_files', null]);
  });

  test('4 MiB are accepted, a byte more is not', () => {
    const rest = 4_194_304 - String(skillFile.content).length;
    expect(refusalWith({ name: 'a', content: randomBytes(rest) })).toBeUndefined();
    expect(refusalWith({ name: 'a', content: randomBytes(rest + 1) })).toEqual(['package_too_large', null]);
    expect(refusalOf(Buffer.alloc(5_242_881))).toEqual(['archive_too_large', null]);
  });

  test('sizes are summed before any byte is inflated', () => {
    const declared = {
      name: 'a',
      method: 8,
      raw: Buffer.from('no deflate'),
      directory: { size: 4_294_967_295 },
    };
    expect(refusalWith(declared)).toEqual(['package_too_large', null]);
  });

  test('an entry over 65,536 bytes may be 200 times its compressed size', () => {
    const zeros = Buffer.alloc(65_537);
    expect(deflateRawSync(zeros).length * 200).toBeLessThan(zeros.length);
    expect(refusalWith({ name: 'a', content: zeros, method: 8 })).toEqual(['compression_ratio', 'a']);
    expect(refusalWith({ name: 'a', content: zeros.subarray(1), method: 8 })).toBeUndefined();
    const stated = (compressedSize: number): ZipEntry => ({
      name: 'a',
      method: 8,
      raw: Buffer.alloc(compressedSize),
      directory: { size: 80_000 },
    });
    expect(refusalWith(stated(399))).toEqual(['compression_ratio', 'a']);
    expect(refusalWith(stated(400))).toEqual(['entry_mismatch', 'a']);
  });

  test('the file list is bounded', () => {
    const long = (index: number) =>
      text(`${'d'.repeat(240)}/${'e'.repeat(240)}${String(index).padStart(3, '0')}`);
    const many = (count: number) =>
      zip([skillFile, ...Array.from({ length: count }, (_, index) => long(index))]);
    expect(refusalOf(many(200))).toBeUndefined();
    expect(refusalOf(many(255))).toEqual(['manifest_too_large', null]);
  });
});

describe('spec 40 §5.2: features', () => {
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  test.each<[string, Buffer, [string, string | null]]>([
    ['a ZIP64 locator', zip([skillFile], { beforeEnd: locator }), ['unsupported_zip_feature', null]],
    [
      'a ZIP64 locator with counts that need one',
      zip([skillFile], { beforeEnd: locator, end: { count: 65_535, directoryOffset: 4_294_967_295 } }),
      ['unsupported_zip_feature', null],
    ],
    [
      'a ZIP64 extra field that nothing needs',
      zip([skillFile, { ...text('a'), directory: { extra: extraField(1, Buffer.alloc(8)) } }]),
      ['unsupported_zip_feature', 'a'],
    ],
    ['method 12', zip([skillFile, { ...text('a'), method: 12 }]), ['unsupported_zip_feature', 'a']],
    [
      'patched data',
      zip([skillFile, { ...text('a'), directory: { flags: 1 << 5 } }]),
      ['unsupported_zip_feature', 'a'],
    ],
    ...[0, 6, 13].map((bit): [string, Buffer, [string, string]] => [
      `flag bit ${bit}`,
      zip([skillFile, { ...text('a'), directory: { flags: 1 << bit } }]),
      ['encrypted_entry', 'a'],
    ]),
  ])('%s', (_what, archive, refusal) => {
    expect(refusalOf(archive)).toEqual(refusal);
  });

  test('a ZIP64 extra field in a local header alone is dropped', () => {
    expect(refusalWith({ ...text('a'), local: { extra: extraField(1, Buffer.alloc(16)) } })).toBeUndefined();
  });
});

describe('spec 40 §5.2: paths', () => {
  test.each([
    '../x',
    '/x',
    'C:x',
    'a//b',
    '././x',
    'a/../b',
    'a/.',
    'a/..',
    '/',
    'a//',
    'a.',
    'a ',
    'dir./x',
    'dir /x',
    `${'x'.repeat(513)}`,
    `${'é'.repeat(256)}x`,
    `${'d/'.repeat(16)}x`,
  ])('%j is invalid_path', (name) => {
    expect(refusalWith(text(name))).toEqual(['invalid_path', [...name].slice(0, 512).join('')]);
  });

  test.each<[string, Buffer | string]>([
    ['NUL', 'a\0b'],
    ['a line feed', 'a\nb'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\u007f'],
    ['a C1 control', 'a\u0085'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff])],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80])],
  ])('%s is invalid_path without an entry', (_what, name) => {
    expect(refusalWith({ name, content: 'x' })).toEqual(['invalid_path', null]);
  });

  test('an empty name, and a name that differs from the Unicode path, are invalid_path', () => {
    expect(refusalWith(text(''))).toEqual(['invalid_path', '']);
    const path = (name: string) =>
      extraField(0x7075, Buffer.concat([Buffer.from([1]), Buffer.alloc(4), Buffer.from(name)]));
    expect(refusalWith({ ...text('a'), directory: { extra: path('b') } })).toEqual(['invalid_path', 'a']);
    expect(refusalWith({ ...text('a'), directory: { extra: path('a') } })).toBeUndefined();
    expect(refusalWith({ ...text('a'), directory: { extra: extraField(0x7075, Buffer.alloc(0)) } })).toEqual([
      'invalid_path',
      'a',
    ]);
  });

  test('a name that is UTF-8 without flag 11 is a path', () => {
    expect(refusalWith({ ...text('é'), directory: { flags: 0 }, local: { flags: 0 } })).toBeUndefined();
  });

  test.each(['x'.repeat(512), `${'d/'.repeat(15)}x`, '...a', '.hidden', 'a b', 'é/ü'])(
    '%j is accepted',
    (name) => {
      expect(refusalWith(text(name))).toBeUndefined();
    },
  );

  test.each([
    '.env',
    '.GIT/config',
    'a/node_modules/x',
    'Node_Modules/x',
    '.gıt/x',
    '.ENV/',
    'node_module\u017f/x',
  ])('%j is forbidden_path', (name) => {
    expect(refusalWith(text(name))).toEqual(['forbidden_path', name]);
  });

  test.each(['.environment', '.gitignore', 'node_modules.txt', 'env'])('%j is not forbidden', (name) => {
    expect(refusalWith(text(name))).toBeUndefined();
  });
});

describe('spec 40 §5.2: special entries', () => {
  test.each<[string, ZipEntry]>([
    ['a symlink', { ...text('a'), mode: 0o120777 }],
    ['a FIFO', { ...text('a'), mode: 0o010644 }],
    ['a character device', { ...text('a'), mode: 0o020644 }],
    ['a block device', { ...text('a'), mode: 0o060644 }],
    ['a socket', { ...text('a'), mode: 0o140644 }],
    ['a directory that is named as a file', { ...text('a'), mode: 0o040755 }],
    ['a file that is named as a directory', { name: 'a/', mode: 0o100644 }],
    ['a directory with content', { name: 'a/', content: 'x' }],
  ])('%s is special_entry', (_what, entry) => {
    expect(refusalWith(entry)).toEqual(['special_entry', entry.name]);
  });

  test('an entry without a file type is regular', () => {
    expect(refusalWith({ ...text('a'), mode: 0o644 })).toBeUndefined();
    expect(refusalWith({ name: 'a/', mode: 0 })).toBeUndefined();
  });
});

describe('spec 40 §5.2: collisions', () => {
  test.each<[string, string[], string]>([
    ['a name twice', ['a', 'a'], 'a'],
    ['a directory twice', ['a/', 'a/'], 'a/'],
    ['equal after folding', ['A.md', 'a.md'], 'a.md'],
    ['equal after folding to upper case', ['straße', 'STRASSE'], 'STRASSE'],
    ['equal as NFC folds', ['é', 'É'], 'É'],
    ['a file and a directory', ['a', 'a/b'], 'a/b'],
    ['a directory and a file', ['a/b', 'a'], 'a'],
    ['a directory entry and a file', ['a/', 'A'], 'A'],
    ['two spellings of a directory', ['docs/x', 'Docs/y'], 'Docs/y'],
    ['two spellings of an inner directory', ['a/docs/x', 'a/Docs/y'], 'a/Docs/y'],
    ['two spellings of a directory entry', ['docs/', 'Docs/y'], 'Docs/y'],
    ['the entrypoint in another case', ['skill.md'], 'skill.md'],
  ])('%s is path_collision', (_what, names, later) => {
    expect(refusalOf(zip([skillFile, ...names.map((name) => ({ name }))]))).toEqual([
      'path_collision',
      later,
    ]);
  });

  test('a directory entry after a file in it is no collision', () => {
    expect(refusalOf(zip([skillFile, text('a/b'), { name: 'a/' }, text('a/c')]))).toBeUndefined();
  });
});

describe('spec 40 §5.2: entries that disagree with the directory', () => {
  const deflated = deflateRawSync(Buffer.from('x'));
  test.each<[string, ZipEntry]>([
    ['another local name', { ...text('a'), local: { name: Buffer.from('b') } }],
    ['another local method', { ...text('a'), local: { method: 8 } }],
    ...[0, 5, 6, 13].map((bit): [string, ZipEntry] => [
      `local flag bit ${bit}`,
      { ...text('a'), local: { flags: 1 << bit } },
    ]),
    ['stored with two sizes', { ...text('a'), directory: { size: 2 } }],
    ['a wrong checksum', { ...text('a'), directory: { crc: crc32('y') } }],
    ['no deflate stream', { ...text('a'), method: 8, raw: Buffer.from('\xff\xff') }],
    ['an empty deflate stream', { ...text('a'), method: 8, raw: Buffer.alloc(0) }],
    [
      'bytes after a deflate stream',
      { ...text('a'), method: 8, raw: Buffer.concat([deflated, Buffer.from('z')]) },
    ],
    ['a truncated deflate stream', { ...text('a'), method: 8, raw: deflated.subarray(0, -1) }],
    [
      'more than declared',
      { ...text('a'), content: 'xx', method: 8, directory: { size: 1, crc: crc32('x') } },
    ],
    ['less than declared', { ...text('a'), method: 8, directory: { size: 2 } }],
    ['a directory with a broken stream', { name: 'a/', method: 8, raw: Buffer.from('zz') }],
  ])('%s is entry_mismatch', (_what, entry) => {
    expect(refusalWith(entry)).toEqual(['entry_mismatch', entry.name]);
  });

  test('local sizes and checksums are not read', () => {
    const streamed = { flags: 0x0808, crc: 0, compressedSize: 0, size: 0 };
    expect(
      refusalWith({ ...text('a'), method: 8, local: streamed, directory: { flags: 0x0808 } }),
    ).toBeUndefined();
  });

  test('overlapping entries: the first of them in the directory is named', () => {
    const inner = zip([text('a')]).subarray(0, 32);
    const archive = zip([skillFile, { name: 'b', content: inner }, { ...text('a'), raw: Buffer.alloc(0) }]);
    const at = archive.indexOf(inner);
    const overlapping = zip([
      skillFile,
      { name: 'b', content: inner },
      { name: 'a', content: 'x', raw: Buffer.alloc(0), offset: at, directory: { compressedSize: 1 } },
    ]);
    expect(refusalOf(overlapping)).toEqual(['entry_mismatch', 'b']);
  });

  test('two records of one local header overlap', () => {
    const archive = zip([skillFile, { ...text('b'), offset: 0 }]);
    expect(refusalOf(archive)).toEqual(['entry_mismatch', 'SKILL.md']);
  });
});

describe('spec 40 §5.2: the order of the table', () => {
  test('a line is checked over all records before the next one', () => {
    expect(
      refusalOf(
        zip([
          { ...text('first'), directory: { crc: 0 } },
          { ...text('second'), mode: 0o120777 },
          text('.git/x'),
          text('../x'),
          { ...text('fifth'), directory: { flags: 1 } },
        ]),
      ),
    ).toEqual(['encrypted_entry', 'fifth']);
    expect(refusalOf(zip([text('.git/x'), text('../x')]))).toEqual(['invalid_path', '../x']);
    expect(refusalOf(zip([{ ...text('a'), directory: { crc: 0 } }]))).toEqual(['entry_mismatch', 'a']);
    expect(refusalOf(zip([text('a')]))).toEqual(['missing_entrypoint', null]);
  });

  test('of several faults of a line, the first record in the directory is named', () => {
    expect(refusalOf(zip([skillFile, text('b:'), text('../a')]))).toEqual(['invalid_path', 'b:']);
  });
});

test.each(['skill.md', 'hello/SKILL.md', 'SKILL.MD'])('spec 40 §5.2: %s is no entrypoint', (name) => {
  expect(refusalOf(zip([{ ...skillFile, name }, text('a')]))).toEqual(['missing_entrypoint', null]);
});
