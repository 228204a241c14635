import { execFile } from 'node:child_process';
import { chmod, link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256, treeDigest } from '@continuity/skill-packages';
import { temporaryDirectory } from '@continuity/testing';
import { expect, test } from 'vitest';
import { listRoot, readTree } from '../../src/external-skills/threads/read-tree.ts';

const skillFile = '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n';

/** A package with a `SKILL.md`, in a new directory. */
async function newPackage(): Promise<string> {
  const directory = await temporaryDirectory('skill');
  await writeFile(join(directory, 'SKILL.md'), skillFile);
  return directory;
}

const fingerprintOf = (directory: string) => readTree(directory, () => false).fingerprint;

async function addFiles(directory: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await writeFile(join(directory, `file-${index}`), '');
}

test('the fingerprint is the tree digest of all files, hidden and forbidden ones too', async () => {
  const directory = await newPackage();
  expect(fingerprintOf(directory)).toBe('8ead503b039bd26a77b1aa93335462409f967b623f91430eaf43138083d6b429');
  await mkdir(join(directory, '.git/empty'), { recursive: true });
  await writeFile(join(directory, '.git/config'), 'x');
  await writeFile(join(directory, 'a:b'), '');
  await writeFile(join(directory, 'run'), 'y');
  await chmod(join(directory, 'run'), 0o641);
  const file = (path: string, content: string, executable = false) => {
    const digest = sha256(Buffer.from(content)).toString('hex');
    return { path, executable, digest, size: content.length };
  };
  const list = [
    file('.git/config', 'x'),
    file('SKILL.md', skillFile),
    file('a:b', ''),
    file('run', 'y', true),
  ];
  expect(fingerprintOf(directory)).toBe(treeDigest(list));
});

test('256 files are read, and 257 are not', async () => {
  const directory = await newPackage();
  await addFiles(directory, 255);
  expect(fingerprintOf(directory)).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(join(directory, 'one more'), '');
  expect(() => fingerprintOf(directory)).toThrow('has more than 256 files');
});

test('1,024 files and directories are read, and 1,025 are not', async () => {
  const directory = await newPackage();
  for (let index = 0; index < 1_023; index += 1) await mkdir(join(directory, `folder-${index}`));
  expect(fingerprintOf(directory)).toMatch(/^[0-9a-f]{64}$/);
  await mkdir(join(directory, 'folder-0/deeper'));
  expect(() => fingerprintOf(directory)).toThrow('has more than 1024 files and directories');
});

test('4 MiB are read, and one byte more is not', async () => {
  const directory = await newPackage();
  const rest = 4_194_304 - skillFile.length;
  await writeFile(join(directory, 'data'), '');
  await truncate(join(directory, 'data'), rest);
  expect(fingerprintOf(directory)).toMatch(/^[0-9a-f]{64}$/);
  await truncate(join(directory, 'data'), rest + 1);
  expect(() => fingerprintOf(directory)).toThrow('has more than 4194304 bytes');
});

test('a SKILL.md of 131,072 bytes is read, and one byte more is not', async () => {
  const directory = await newPackage();
  await truncate(join(directory, 'SKILL.md'), 131_072);
  expect(fingerprintOf(directory)).toMatch(/^[0-9a-f]{64}$/);
  await truncate(join(directory, 'SKILL.md'), 131_073);
  expect(() => fingerprintOf(directory)).toThrow('has a SKILL.md of 131073 bytes, more than 131072');
});

const hostile: Record<string, [(directory: string) => Promise<unknown>, string]> = {
  'a link to a file': [(at) => symlink('SKILL.md', join(at, 'link')), 'has a symbolic link'],
  'a link to a directory': [(at) => symlink('/etc', join(at, 'link')), 'has a symbolic link'],
  'a link to nothing': [(at) => symlink('nothing', join(at, 'link')), 'has a symbolic link'],
  'a hard link': [(at) => link(join(at, 'SKILL.md'), join(at, 'link')), 'has a file with several hard links'],
  'a FIFO': [(at) => promisify(execFile)('mkfifo', [join(at, 'fifo')]), 'has a special file'],
  'a socket': [
    (at) =>
      new Promise((resolve) => {
        const server = createServer().listen(join(at, 'socket'), () => resolve(server.unref()));
      }),
    'has a special file',
  ],
  'a name that is not UTF-8': [
    (at) => writeFile(Buffer.concat([Buffer.from(`${at}/`), Buffer.from([0xc3, 0x28])]), ''),
    'has a path that is not UTF-8',
  ],
};

test.each(Object.keys(hostile))('a package with %s is not read', async (name) => {
  const directory = await newPackage();
  const [add, reason] = hostile[name] ?? [];
  await add?.(directory);
  expect(() => fingerprintOf(directory)).toThrow(reason);
});

test('a package without SKILL.md, a file and a link are none', async () => {
  const directory = await newPackage();
  await mkdir(join(directory, 'inner'));
  await writeFile(join(directory, 'inner/skill.md'), skillFile);
  expect(() => fingerprintOf(join(directory, 'inner'))).toThrow('has no SKILL.md');
  expect(() => fingerprintOf(join(directory, 'SKILL.md'))).toThrow('is no directory');
  await symlink(directory, join(directory, 'inner/link'));
  expect(() => fingerprintOf(join(directory, 'inner/link'))).toThrow('is no directory');
  expect(() => fingerprintOf(join(directory, 'missing'))).toThrow('ENOENT');
});

test('a path through a link is not read, although the file is the one that was found', async () => {
  const directory = await newPackage();
  const link = join(await temporaryDirectory('skill'), 'link');
  await symlink(directory, link);
  // The package itself has no link, and the way to it has one.
  await mkdir(join(directory, 'package'));
  await writeFile(join(directory, 'package/SKILL.md'), skillFile);
  expect(() => fingerprintOf(join(link, 'package'))).toThrow('changed while it was read');
});

test('a root lists its real directories in byte order, without hidden ones', async () => {
  const root = await temporaryDirectory('root');
  for (const name of ['b', 'a', 'B', '.hidden', 'é', '\u{1f600}', '\uffee']) await mkdir(join(root, name));
  await mkdir(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]));
  await writeFile(join(root, 'file'), '');
  await symlink(join(root, 'a'), join(root, 'link'));
  expect(listRoot(root)).toEqual({ names: ['B', 'a', 'b', 'é', '\uffee', '\u{1f600}'], unreadable: 1 });
  expect(listRoot(join(root, 'missing'))).toEqual({ names: [], unreadable: 0 });
  expect(listRoot(join(root, 'file'))).toEqual({ names: [], unreadable: 0 });
});
