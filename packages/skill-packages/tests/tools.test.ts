import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@continuity/testing';
import { zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { openUpload } from '../src/index.ts';

const run = promisify(execFile);

const files = {
  'SKILL.md': '---\nname: release-check\ndescription: Verify a release.\n---\n\nRun scripts/verify.sh.\n',
  'references/long.md': 'The same line again and again.\n'.repeat(500),
  'scripts/verify.sh': '#!/bin/sh\nexit 0\n',
  'ünïcode.txt': 'é',
};

/** Writes the tree to a new directory. */
async function writeTree(): Promise<string> {
  const root = await temporaryDirectory('tree');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), content);
  }
  await chmod(join(root, 'scripts/verify.sh'), 0o755);
  return root;
}

const usingPython = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for folder, _, names in os.walk('.'):
        for name in sorted(names, reverse=True):
            archive.write(os.path.join(folder, name))
`;

/** Names in the local headers and sizes in data descriptors, as a streaming writer has them. */
const streamed = () =>
  zip(
    Object.entries(files)
      .toReversed()
      .map(([name, content]) => ({
        name,
        content,
        method: 8,
        mode: name.endsWith('.sh') ? 0o100700 : 0o100600,
        directory: { flags: 0x0808 },
        local: { flags: 0x0808, crc: 0, compressedSize: 0, size: 0 },
      })),
  );

/** Tools of the machine; a missing one makes its test pass over. */
const tools: [string, string, (archive: string) => string[]][] = [
  ['zip', 'zip', (archive) => ['-q', '-r', '-X', archive, '.']],
  ['zip -0, without directories', 'zip', (archive) => ['-q', '-r', '-0', '-D', archive, '.']],
  ['zipfile of Python', 'python3', (archive) => ['-c', usingPython, archive]],
];

async function isInstalled(command: string): Promise<boolean> {
  return run(command, ['--version']).then(
    () => true,
    () => false,
  );
}

describe('spec 40 §5.4: one tree has one digest, whatever wrote its archive', async () => {
  const expected = openUpload(streamed()).ref;

  for (const [name, command, argumentsFor] of tools) {
    test.runIf(await isInstalled(command))(name, async () => {
      const tree = await writeTree();
      const archive = join(await temporaryDirectory('archive'), 'package.zip');
      await run(command, argumentsFor(archive), { cwd: tree });
      const opened = openUpload(await readFile(archive));
      expect(opened.ref).toEqual(expected);
      expect(opened.list.find(({ path }) => path === 'scripts/verify.sh')?.executable).toBe(true);
    });
  }
});
