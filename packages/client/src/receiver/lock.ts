import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ReceiverError } from './errors.ts';
import { ignore, statusOf } from './folders.ts';

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
 * Acquires a lock that one process holds at a time, also across machines. Takes over the lock of a dead process of this machine, and a
 * lock that was not refreshed for 60 s. Throws `ReceiverError` if another process holds the lock.
 */
export async function acquireLock(path: string): Promise<Lock> {
  const own = `${path}.${randomUUID()}`;
  const text = JSON.stringify({ host: hostname(), process: process.pid, token: randomUUID() });
  const handle = await open(own, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await take(own, path);
    await removeLeftovers(path);
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
  return hold(handle, path, text);
}

/** Refreshes the lock through its file handle, so that it never refreshes the lock of a process that took over. */
function hold(handle: FileHandle, path: string, text: string): Lock {
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
      if ((await readText(path)) !== text) {
        throw new ReceiverError('Another Receiver has taken this project over. This one stops.');
      }
    },
    async release() {
      clearInterval(timer);
      await handle.close();
      if ((await readText(path)) === text) await rm(path, { force: true });
    },
  };
}

async function take(own: string, path: string): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (await tryLink(own, path)) return;
    const holder = await readText(path);
    if (holder === undefined) continue;
    if (!(await isStale(path, holder))) throw busy(holder);
    if (await takeOver(own, path)) return;
  }
  throw busy('');
}

/** False if another process holds the lock. That process may have removed `own` (ENOENT). */
async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    ignore('EEXIST', 'ENOENT')(error);
    return false;
  }
}

async function isStale(path: string, holder: string): Promise<boolean> {
  const status = await statusOf(path);
  if (status === undefined || Date.now() - status.mtimeMs > staleMs) return true;
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
async function takeOver(own: string, path: string): Promise<boolean> {
  const turn = `${path}.turn`;
  if (!(await tryLink(own, turn))) {
    const holder = await readText(turn);
    if (holder !== undefined && (await isStale(turn, holder))) await rm(turn, { force: true });
    return false;
  }
  try {
    const holder = await readText(path);
    if (holder === undefined || !(await isStale(path, holder))) return false;
    await rename(own, path);
    return true;
  } finally {
    await rm(turn, { force: true });
  }
}

/** Removes the files of processes that were killed while they waited. */
async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix)) await rm(join(dirname(path), name), { force: true });
  }
}

async function readText(path: string): Promise<string | undefined> {
  return (await readFile(path, 'utf8').catch(ignore('ENOENT'))) ?? undefined;
}

function parseHolder(text: string): z.infer<typeof holderShape> | undefined {
  try {
    return holderShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Name of the process that holds the lock, for messages; undefined if none does. */
export async function readLockHolder(path: string): Promise<string | undefined> {
  const holder = await readText(path);
  return holder === undefined || (await isStale(path, holder)) ? undefined : nameHolder(holder);
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
