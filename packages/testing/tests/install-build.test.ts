import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { installBuild } from '../../../scripts/install-build.ts';
import { temporaryDirectory } from '../src/index.ts';

const dayMs = 24 * 3_600_000;

let target: string;

beforeEach(async () => {
  target = await temporaryDirectory('build');
});

async function build(names: string[], content = ''): Promise<string[]> {
  const draft = join(target, '.draft');
  await mkdir(draft, { recursive: true });
  for (const name of names) await writeFile(join(draft, name), content);
  installBuild(draft, target, names);
  return (await readdir(target)).filter((name) => !name.startsWith('.'));
}

/** Makes all files of the builds older. */
async function age(days: number): Promise<void> {
  const time = new Date(Date.now() - days * dayMs);
  for (const name of await readdir(target)) await utimes(join(target, name), time, time);
}

test('a program is replaced', async () => {
  await build(['api.mjs'], 'old');
  await build(['api.mjs'], 'new');
  expect(await readFile(join(target, 'api.mjs'), 'utf8')).toBe('new');
});

test('a process that has run for months still finds the files of its build after the next one', async () => {
  await build(['api.mjs', 'thread-1.mjs']);
  await age(90);
  expect(await build(['api.mjs', 'thread-2.mjs'])).toEqual(['api.mjs', 'thread-1.mjs', 'thread-2.mjs']);
});

test('a file is removed by a build more than a week after it was replaced, and not before', async () => {
  await build(['api.mjs', 'thread-1.mjs']);
  await build(['api.mjs', 'thread-2.mjs']);
  await age(6);
  expect(await build(['api.mjs', 'thread-2.mjs'])).toContain('thread-1.mjs');
  await age(8);
  expect(await build(['api.mjs', 'thread-2.mjs'])).toEqual(['api.mjs', 'thread-2.mjs']);
});
