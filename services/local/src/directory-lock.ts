import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefusedError, withTimeLimit } from '@continuity/kernel/process';

/** A lock of this process on a directory. The operating system releases it when the process ends or is killed. */
export interface DirectoryLock {
  /** Makes processes that ask for the lock wait for its release. */
  announceRelease(): void;
  release(): void;
}

interface LockOptions {
  /** Longest wait for a process that has announced its release, in milliseconds. */
  waitMs: number;
  /** Called once before such a wait. */
  onWait: (pid: number) => void;
}

/** The process that has a lock. */
interface Holder {
  state: 'running' | 'stopping';
  pid: number;
}

const retryMs = 100;

/** Limit of an answer about the state of a lock. */
const answerMs = 1_000;

/**
 * Locks a directory, which it creates, against other processes of this machine. Waits for a process that is stopping. Throws a
 * `StartRefusedError` that names the process that has the directory.
 */
export async function lockDirectory(
  directory: string,
  { waitMs, onWait }: LockOptions,
): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true });
  const address = addressOf(await realpath(directory));
  const deadline = Date.now() + waitMs;
  let hasToldOfWait = false;
  for (;;) {
    const lock = await tryLock(address);
    if (lock !== undefined) return lock;
    const holder = await readHolder(address);
    if (holder?.state === 'running' || Date.now() > deadline) {
      const by = holder === undefined ? 'another process' : `process ${holder.pid}`;
      throw new StartRefusedError(
        `The data in ${directory} is in use by ${by}. Stop it, or set DATA_DIR to another directory.`,
      );
    }
    if (holder === undefined) {
      await removeStale(address);
    } else if (!hasToldOfWait) {
      onWait(holder.pid);
      hasToldOfWait = true;
    }
    await sleep(retryMs);
  }
}

/**
 * Address on which the owner of the directory listens. The operating system frees it when the process ends. On macOS, a socket file
 * remains after a kill.
 */
function addressOf(directory: string): string {
  const name = `continuity-${createHash('sha256').update(directory).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

/** Undefined if another process has the address. */
async function tryLock(address: string): Promise<DirectoryLock | undefined> {
  let state: Holder['state'] = 'running';
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify({ state, pid: process.pid } satisfies Holder));
  });
  if (!(await listens(server, address))) return undefined;
  server.unref();
  return {
    announceRelease: () => {
      state = 'stopping';
    },
    release: () => void server.close(),
  };
}

function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(address, () => resolve(true));
  });
}

/** Undefined if no process answers in time. */
async function readHolder(address: string): Promise<Holder | undefined> {
  const socket = connect(address);
  try {
    return JSON.parse(await withTimeLimit(text(socket), answerMs)) as Holder;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

async function removeStale(address: string): Promise<void> {
  if (address.endsWith('.sock')) await rm(address, { force: true });
}
