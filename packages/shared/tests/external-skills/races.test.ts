import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@continuity/testing';
import { afterEach, expect, test } from 'vitest';
import { readTree } from '../../src/external-skills/threads/read-tree.ts';

const { openSync } = fs;

afterEach(() => {
  fs.openSync = openSync;
  syncBuiltinESMExports();
});

/** Calls `before` before each file is opened. */
function watchOpens(before: (path: string) => void): void {
  fs.openSync = (path, ...rest) => {
    before(String(path));
    return openSync(path, ...rest);
  };
  syncBuiltinESMExports();
}

const skillFile = '---\nname: hello\ndescription: Say hello.\n---\n';

async function newPackage(): Promise<string> {
  const directory = await temporaryDirectory('skill');
  await mkdir(join(directory, 'references'));
  await writeFile(join(directory, 'SKILL.md'), skillFile);
  for (const name of ['a.md', 'b.md', 'c.md']) await writeFile(join(directory, 'references', name), name);
  return directory;
}

test('each file is opened exactly once, and nothing is opened of a tree that breaks a rule', async () => {
  const directory = await newPackage();
  const opened: string[] = [];
  watchOpens((path) => opened.push(path));
  readTree(directory, () => true);
  const names = ['SKILL.md', 'references/a.md', 'references/b.md', 'references/c.md'];
  expect(opened.sort()).toEqual(names.map((name) => join(directory, name)));
  opened.length = 0;
  await promisify(execFile)('mkfifo', [join(directory, 'pipe')]);
  expect(() => readTree(directory, () => true)).toThrow('has a special file');
  expect(opened).toEqual([]);
});

/** What somebody else does between the look at a file and its opening, or while the others are read. */
const races: Record<string, (directory: string, path: string) => void> = {
  'swaps the file for a link': (_directory, path) => {
    fs.rmSync(path);
    fs.symlinkSync('/etc/passwd', path);
  },
  'swaps the file for another one': (_directory, path) => {
    fs.writeFileSync(`${path}.new`, 'b.md');
    fs.renameSync(`${path}.new`, path);
  },
  'swaps the file for a directory': (_directory, path) => {
    fs.rmSync(path);
    fs.mkdirSync(path);
  },
  'swaps the folder for a link to an equal one': (directory) => {
    fs.cpSync(join(directory, 'references'), `${directory}-other`, { recursive: true });
    fs.rmSync(join(directory, 'references'), { recursive: true });
    fs.symlinkSync(`${directory}-other`, join(directory, 'references'));
  },
  'moves the folder behind a link': (directory) => {
    // The same inodes, outside of the package.
    fs.renameSync(join(directory, 'references'), `${directory}-moved`);
    fs.symlinkSync(`${directory}-moved`, join(directory, 'references'));
  },
  'grows the file': (_directory, path) => fs.appendFileSync(path, '!'),
  'shrinks the file': (_directory, path) => fs.truncateSync(path, 1),
  'rewrites the file with equal length': (_directory, path) => fs.writeFileSync(path, 'x.md'),
  'makes the file executable': (_directory, path) => fs.chmodSync(path, 0o755),
  'links the file once more': (directory, path) => fs.linkSync(path, `${directory}-link`),
  'removes the file': (_directory, path) => fs.rmSync(path),
  'changes a file that was read before': (directory) => fs.appendFileSync(join(directory, 'SKILL.md'), '!'),
  'adds a file': (directory) => fs.writeFileSync(join(directory, 'references/d.md'), ''),
  'removes a file that was read before': (directory) => fs.rmSync(join(directory, 'SKILL.md')),
  'renames the package': (directory) => fs.renameSync(directory, `${directory}-renamed`),
};

test.each(Object.keys(races))('nothing is read of a package while somebody %s', async (name) => {
  const directory = await newPackage();
  const path = join(directory, 'references/b.md');
  let isFirst = true;
  watchOpens((opened) => {
    if (opened !== path || !isFirst) return;
    isFirst = false;
    races[name]?.(directory, path);
  });
  expect(() => readTree(directory, () => true)).toThrow(
    /changed while it was read|ENOENT|ELOOP|ENOTDIR|EISDIR/,
  );
  expect(isFirst).toBe(false);
});
