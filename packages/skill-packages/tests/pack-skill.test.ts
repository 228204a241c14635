import { chmod, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { temporaryDirectory } from '@continuity/testing';
import { extraField, type ZipEntry, zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { openUpload } from '../src/index.ts';
import { type PackOptions, packSkill } from '../src/pack/index.ts';

const text = '---\nname: release-check\ndescription: Verify a release.\n---\n\nRun it.\n';
const skillFile: ZipEntry = { name: 'SKILL.md', content: text };
const script: ZipEntry = { name: 'scripts/verify.sh', content: '#!/bin/sh\n', mode: 0o100755 };
const reference: ZipEntry = { name: 'références/café.md', content: 'x' };
const clean = [skillFile, script, reference];
const cleanRef = openUpload(zip(clean)).ref;
const below = (folder: string, entries: ZipEntry[]) =>
  entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` }));
const file = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, content: 'x', ...more });

/** Writes files to a new folder. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await temporaryDirectory('skill');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    if (path.endsWith('.sh')) await chmod(join(folder, path), 0o755);
  }
  return folder;
}

const cleanFolder = () =>
  folderOf({ 'SKILL.md': text, 'scripts/verify.sh': '#!/bin/sh\n', 'références/café.md': 'x' });

/** Writes sizes and offsets of an archive of stored entries as ZIP64, all in 64 bits. */
function zip64(entries: readonly ZipEntry[]): Buffer {
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(8 * values.length);
    for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * index);
    return bytes;
  };
  let offset = 0;
  const written = entries.map((entry) => {
    const size = Buffer.byteLength(entry.content ?? '');
    const extra = extraField(1, numbers(size, size, offset));
    offset += 30 + Buffer.byteLength(entry.name) + size;
    return {
      ...entry,
      offset: 0xffffffff,
      directory: { size: 0xffffffff, compressedSize: 0xffffffff, extra },
    };
  });
  const plain = zip(written);
  const start = plain.readUInt32LE(plain.length - 6);
  const size = plain.readUInt32LE(plain.length - 10);
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  numbers(44).copy(end, 4);
  numbers(entries.length, entries.length, size, start).copy(end, 24);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  numbers(start + size).copy(locator, 8);
  locator.writeUInt32LE(1, 16);
  return zip(written, {
    beforeEnd: Buffer.concat([end, locator]),
    end: { count: 0xffff, directorySize: 0xffffffff, directoryOffset: 0xffffffff },
  });
}

const refusalOf = (input: string | Buffer, options?: PackOptions) =>
  packSkill(input, options).then(
    () => 'packed',
    (error: Error & { reason?: string; folders?: string[] }) =>
      error.reason ?? error.folders ?? error.message,
  );

describe('spec 70 scenario 35: packing gives the digest of the clean folder', () => {
  test.each<[string, Buffer]>([
    ['a clean archive', zip(clean)],
    [
      'a folder with junk',
      zip([...below('release-check', clean), file('__MACOSX/._x'), file('release-check/.DS_Store')]),
    ],
    [
      'PowerShell 5',
      zip(below('release-check', clean).map((one) => ({ ...one, name: one.name.replaceAll('/', '\\') }))),
    ],
    [
      'code page 437',
      zip([
        skillFile,
        script,
        { ...reference, name: Buffer.from('r\x82f\x82rences/caf\x82.md', 'latin1'), directory: { flags: 0 } },
      ]),
    ],
    ['decomposed names', zip(clean.map((one) => ({ ...one, name: String(one.name).normalize('NFD') })))],
    ['deflated entries', zip(clean.map((one) => ({ ...one, method: 8 })))],
    ['ZIP64', zip64(clean)],
    ['ZIP64 in folders', zip64(below('a/b', clean))],
  ])('%s', async (_what, archive) => {
    const path = join(await temporaryDirectory('archive'), 'skill.zip');
    await writeFile(path, archive);
    for (const input of [archive, path]) {
      const packed = await packSkill(input);
      expect(packed).toMatchObject({ package: cleanRef, name: 'release-check', fixes: [] });
      expect(openUpload(packed.archive).ref).toEqual(cleanRef);
    }
  });

  test('a folder, without what version control and desktops keep in it', async () => {
    const folder = await cleanFolder();
    expect((await packSkill(folder)).package).toEqual(cleanRef);
    for (const path of ['.git', 'node_modules/x', 'scripts/node_modules'])
      await mkdir(join(folder, path), { recursive: true });
    for (const path of ['.git/config', 'node_modules/x/SKILL.md', 'scripts/.DS_Store'])
      await writeFile(join(folder, path), 'x');
    const packed = await packSkill(folder);
    expect(packed.package).toEqual(cleanRef);
    expect(packed.adjusted).toEqual({
      left_out: ['.git/', 'node_modules/', 'scripts/.DS_Store', 'scripts/node_modules/'],
      left_out_count: 4,
      removed_folder: null,
    });
  });

  test('what was mended is listed', async () => {
    const { adjusted, renamed } = await packSkill(
      zip([{ ...skillFile, name: 'a\\SKILL.md' }, file('__MACOSX\\x')]),
    );
    expect(adjusted).toEqual({ left_out: ['__MACOSX\\x'], left_out_count: 1, removed_folder: 'a' });
    expect(renamed).toEqual([{ from: 'a\\SKILL.md', to: 'a/SKILL.md' }]);
  });
});

describe('spec 70 scenario 36: several Skills', () => {
  const repository = [
    file('repo-main/README.md'),
    ...below('repo-main/skills/release-check', clean),
    ...below('repo-main/skills/other', [skillFile]),
  ];

  test('are listed, and the path chooses one', async () => {
    const folders = ['repo-main/skills/other', 'repo-main/skills/release-check'];
    expect(await refusalOf(zip(repository))).toEqual(folders);
    for (const path of [
      'repo-main/skills/release-check',
      './repo-main/skills/release-check/',
      'repo-main\\skills\\release-check',
    ])
      expect((await packSkill(zip(repository), { path })).package).toEqual(cleanRef);
    expect(await refusalOf(zip(repository), { path: 'repo-main' })).toEqual(folders);
  });

  test('one beside other files must be chosen, so that nothing is dropped in silence', async () => {
    const archive = zip([file('README.md'), ...below('skill', clean)]);
    expect(await refusalOf(archive)).toEqual(['skill']);
    expect((await packSkill(archive, { path: 'skill' })).package).toEqual(cleanRef);
  });

  test('a Skill inside of another is one of several', async () => {
    const archive = zip([skillFile, ...below('references/x', [skillFile])]);
    expect(await refusalOf(archive)).toEqual(['.', 'references/x']);
    expect(await refusalOf(archive, { path: '.' })).toBe('invalid_entrypoint');
  });
});

describe('spec 70 scenario 36: refusals', () => {
  test.each<[string, Buffer, string]>([
    ['a link', zip([...clean, file('a', { mode: 0o120777 })]), 'special_entry'],
    ['encryption', zip([...clean, file('a', { directory: { flags: 1 } })]), 'encrypted_entry'],
    ['another method', zip([...clean, file('a', { method: 12 })]), 'unsupported_zip_feature'],
    ['.env', zip([...clean, file('.env')]), 'forbidden_path'],
    ['.git in an archive', zip([...clean, file('.git/config')]), 'forbidden_path'],
    ['names that fold to one', zip([...clean, file('A'), file('a')]), 'path_collision'],
    ['names that mend to one', zip([...clean, file('b\\c'), file('b/c')]), 'path_collision'],
    ['a way out', zip([...clean, file('..\\x')]), 'invalid_path'],
    [
      'two names',
      zip([...clean, file('a', { directory: { extra: extraField(0x7075, Buffer.from('\x01aaaab')) } })]),
      'invalid_path',
    ],
    ['skill.md', zip([{ ...skillFile, name: 'a/skill.md' }]), 'missing_entrypoint'],
    ['no Skill', zip([file('a')]), 'missing_entrypoint'],
    ['no archive', Buffer.from('no archive'), 'not_a_zip'],
    ['bytes before the directory ends', zip(clean, { beforeEnd: Buffer.from('xx') }), 'not_a_zip'],
    ['another count', zip(clean, { end: { count: 9 } }), 'not_a_zip'],
    ['a wrong checksum', zip([...clean, file('a', { directory: { crc: 1 } })]), 'entry_mismatch'],
    ['overlapping entries', zip([...clean, file('a'), file('a2', { offset: 0 })]), 'entry_mismatch'],
    [
      'a bomb',
      zip([
        ...clean,
        file('a', { method: 8, raw: deflateRawSync(Buffer.alloc(50_000_000)), directory: { size: 100 } }),
      ]),
      'entry_mismatch',
    ],
    [
      'a declared bomb',
      zip([...clean, file('a', { method: 8, content: Buffer.alloc(5_000_000) })]),
      'package_too_large',
    ],
    [
      '10,000 entries',
      zip([...clean, ...Array.from({ length: 10_000 }, (_, index) => file(`${index}`))]),
      'too_many_files',
    ],
  ])('%s', async (_what, archive, reason) => {
    expect(await refusalOf(archive)).toBe(reason);
  });

  test('a truncated archive in a file', async () => {
    const path = join(await temporaryDirectory('archive'), 'skill.zip');
    await writeFile(path, zip(clean).subarray(0, -30));
    expect(await refusalOf(path)).toBe('not_a_zip');
  });

  test.each<[string, string, string]>([
    ['.env', '.env', 'forbidden_path'],
    ['skill.md in a folder', 'x/Skill.md', 'invalid_entrypoint'],
    ['a device of Windows', 'aux.md', 'invalid_path'],
  ])('of a folder: %s', async (_what, path, reason) => {
    const folder = await cleanFolder();
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), 'x');
    expect(await refusalOf(folder)).toBe(reason);
  });

  test('of a folder: a link, also to a folder', async () => {
    const folder = await cleanFolder();
    await symlink('/etc', join(folder, 'outside'));
    expect(await refusalOf(folder)).toBe('special_entry');
  });

  test('of a folder: over 10,000 files', async () => {
    const folder = await cleanFolder();
    await mkdir(join(folder, 'many'));
    for (let index = 0; index < 10_001; index += 1)
      await (await open(join(folder, 'many', `${index}`), 'w')).close();
    expect(await refusalOf(folder)).toBe('too_many_files');
  });
});

test('spec 70 §8.2: a file that lies about an offset beyond the archive is refused', async () => {
  expect(await refusalOf(zip([...clean, file('a', { offset: 4_000_000_000 })]))).toBe('not_a_zip');
});

test('spec 70 scenario 37: --fix quotes in the archive, and the folder stays', async () => {
  const folder = await folderOf({ 'SKILL.md': '---\nname: a\ndescription: Use when: x\n---\n' });
  expect(await refusalOf(folder)).toBe('invalid_entrypoint');
  const packed = await packSkill(folder, { fix: true });
  expect(packed.description).toBe('Use when: x');
  expect(packed.fixes).toEqual([
    { line: 3, before: 'description: Use when: x', after: 'description: "Use when: x"' },
  ]);
  expect(openUpload(packed.archive).fields.description).toBe('Use when: x');
  expect(await refusalOf(folder)).toBe('invalid_entrypoint');
});
