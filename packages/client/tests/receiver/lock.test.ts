import { readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Folder } from '../../src/receiver/folder.ts';
import * as locks from '../../src/receiver/lock.ts';
import { FakeService, packageOf } from './fake-service.ts';
import { enrolled, treeOf } from './workspace.ts';

const newPath = async () => join(await temporaryDirectory('lock'), 'codex.lock');

/** Folders stay open until the test ends. */
async function folderOf(path: string): Promise<Folder> {
  const folder = await Folder.open(dirname(path));
  onTestFinished(() => folder.close());
  return folder;
}

const acquireLock = async (path: string) => locks.acquireLock(await folderOf(path), basename(path));
const readLockHolder = async (path: string) => locks.readLockHolder(await folderOf(path), basename(path));

const holder = (fields: object) =>
  JSON.stringify({ host: hostname(), process: process.pid, token: 'other', ...fields });

test('one of two processes at once has the lock, and the next one after it', async () => {
  const path = await newPath();
  const taken = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(path)));
  const held = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(held).toHaveLength(1);
  expect(await readLockHolder(path)).toContain(`process ${process.pid} on `);
  await held[0]?.requireHeld();
  await held[0]?.release();
  await (await acquireLock(path)).release();
  expect(await treeOf(join(path, '..'))).toEqual({});
});

test('the lock of a process that is gone is taken over, by one', async () => {
  for (let round = 0; round < 20; round += 1) {
    const path = await newPath();
    await writeFile(path, holder({ process: 2 ** 22 + 1 }));
    expect(await readLockHolder(path)).toBeUndefined();
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(path)));
    const held = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(held).toHaveLength(1);
    await held[0]?.requireHeld();
    await held[0]?.release();
  }
});

test('a process that was killed while it took a lock over does not keep others from it', async () => {
  const path = await newPath();
  const gone = holder({ process: 2 ** 22 + 1 });
  await writeFile(path, gone);
  await writeFile(`${path}.turn`, gone);
  await (await acquireLock(path)).release();
  expect(await treeOf(join(path, '..'))).toEqual({});
});

test.each([holder({ host: 'elsewhere' }), 'damaged'])(
  'a lock of another machine is kept for 60 s: %s',
  async (text) => {
    const path = await newPath();
    await writeFile(path, text);
    await expect(acquireLock(path)).rejects.toThrow('Stop it first');
    const old = new Date(Date.now() - 61_000);
    await utimes(path, old, old);
    await (await acquireLock(path)).release();
  },
);

test('a process whose lock was taken over changes nothing more', async () => {
  const path = await newPath();
  const lock = await acquireLock(path);
  await writeFile(path, holder({}));
  await expect(lock.requireHeld()).rejects.toThrow('has taken this project over');
  await lock.release();
  expect(await readFile(path, 'utf8')).toBe(holder({}));
});

test('two Receivers in one project: the second one stops, and both agents have a lock of their own', async () => {
  const service = await new FakeService().start();
  const workspace = await enrolled(service);
  service.publish('a', packageOf('check', 1));
  const [first, second] = await Promise.allSettled([workspace.sync(), workspace.sync()]);
  expect([first?.status, second?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(service.shown('a')).toEqual(['current', null]);
  await (await acquireLock(join(workspace.project, '.service/skill-receiver/claude_code.lock'))).release();
  await service.stop();
});
