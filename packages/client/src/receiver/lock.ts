import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { ignore, ReceiverError } from './errors.ts';
import type { Folder } from './folder.ts';

const refreshMs = 10_000;
const staleMs = 60_000;
const maxAttempts = 3;

const holderShape = z.object({ host: z.string(), process: z.int().min(1), token: z.string() });

/** The right to change the Skills of one project and agent. */
export interface Lock {
  /** Throws `ReceiverError` if another process has taken the lock over. */
  requireHeld(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Acquires a lock file of a folder, which one process holds at a time, also across machines. Takes over the lock of a dead process of this
 * machine, and a lock that was not refreshed for 60 s. Throws `ReceiverError` if another process holds the lock.
 */
export async function acquireLock(folder: Folder, name: string): Promise<Lock> {
  const own = `${name}.${randomUUID()}`;
  const text = JSON.stringify({ host: hostname(), process: process.pid, token: randomUUID() });
  const handle = await folder.createFile(own, 0o600);
  try {
    await handle.writeFile(text);
    await take(folder, own, name);
    await removeLeftovers(folder, name);
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await folder.unlink(own);
  }
  return hold(handle, folder, name, text);
}

/** Refreshes the lock through its file handle, so that it never refreshes the lock of a process that took over. */
function hold(handle: FileHandle, folder: Folder, name: string, text: string): Lock {
  let failure: unknown;
  const timer = setInterval(() => {
    const time = new Date();
    handle.utimes(time, time).catch((error: unknown) => {
      failure = error;
    });
  }, refreshMs);
  timer.unref();
  return {
    async requireHeld() {
      if (failure !== undefined) throw failure;
      if ((await readText(folder, name)) !== text) {
        throw new ReceiverError('Another Receiver has taken this project over. This one stops.');
      }
    },
    async release() {
      clearInterval(timer);
      await handle.close();
      if ((await readText(folder, name)) === text) await folder.unlink(name);
    },
  };
}

async function take(folder: Folder, own: string, name: string): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (await tryLink(folder, own, name)) return;
    const holder = await readText(folder, name);
    if (holder === undefined) continue;
    if (!(await isStale(folder, name, holder))) throw busy(holder);
    if (await takeOver(folder, own, name)) return;
  }
  throw busy('');
}

/** False if another process holds the lock. That process may have removed `own` (ENOENT). */
async function tryLink(folder: Folder, own: string, name: string): Promise<boolean> {
  try {
    await folder.link(own, name);
    return true;
  } catch (error) {
    ignore('EEXIST', 'ENOENT')(error);
    return false;
  }
}

async function isStale(folder: Folder, name: string, holder: string): Promise<boolean> {
  const status = await folder.statusOf(name);
  if (status === undefined || Date.now() - Number(status.mtimeMs) > staleMs) return true;
  const parsed = parseHolder(holder);
  return parsed !== undefined && parsed.host === hostname() && !isAlive(parsed.process);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process of another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Replaces a stale lock in one rename, so that the path is never free meanwhile. One process at a time may try; false for the others,
 * and if the lock is not stale any more.
 */
async function takeOver(folder: Folder, own: string, name: string): Promise<boolean> {
  const turn = `${name}.turn`;
  if (!(await tryLink(folder, own, turn))) {
    const holder = await readText(folder, turn);
    if (holder !== undefined && (await isStale(folder, turn, holder))) await folder.unlink(turn);
    return false;
  }
  try {
    const holder = await readText(folder, name);
    if (holder === undefined || !(await isStale(folder, name, holder))) return false;
    await folder.rename(own, folder, name);
    return true;
  } finally {
    await folder.unlink(turn);
  }
}

/** Removes the files of processes that were killed while they waited. */
async function removeLeftovers(folder: Folder, lockName: string): Promise<void> {
  for (const name of await folder.list()) {
    if (name.startsWith(`${lockName}.`)) await folder.unlink(name);
  }
}

async function readText(folder: Folder, name: string): Promise<string | undefined> {
  return (await folder.readText(name))?.text;
}

function parseHolder(text: string): z.infer<typeof holderShape> | undefined {
  try {
    return holderShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Name of the process that holds the lock, for messages; undefined if none does. */
export async function readLockHolder(folder: Folder, name: string): Promise<string | undefined> {
  const holder = await readText(folder, name);
  return holder === undefined || (await isStale(folder, name, holder)) ? undefined : nameHolder(holder);
}

function nameHolder(text: string): string {
  const holder = parseHolder(text);
  return holder === undefined ? 'another process' : `process ${holder.process} on ${holder.host}`;
}

function busy(holder: string): ReceiverError {
  return new ReceiverError(
    `A Receiver of this agent works in this project: ${nameHolder(holder)}. Stop it first.`,
  );
}
