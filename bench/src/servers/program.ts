import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cancelCleanUp, cleanUpOnExit, inheritedEnvironment } from '@continuity/testing/servers';
import { processorMs } from './processor-time.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const bytesPerKib = 1_024;
const bytesPerMib = 2 ** 20;

/** A program of this repository, running as a child process. */
export interface Program {
  /** Resident memory in MiB. */
  memoryMib(): Promise<number>;
  /** Processor time in milliseconds that the program has used. */
  processorMs(): Promise<number>;
  /** Bytes that it has read from files and sockets; null where the system does not count them. */
  bytesRead(): Promise<number | null>;
  /** Throws an error with the output if the program has ended. */
  requireAlive(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs a program, bundled or from its source, with the same Node. The output goes to a file: a pipe would add load to this process. With
 * NODE_PROFILE_DIR, the program writes a CPU profile to that directory when it ends.
 */
export async function startProgram(path: string, environment: Record<string, string>): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'));
  const log = join(folder, 'log');
  const output = await open(log, 'w');
  const child = spawn(process.execPath, [...profileArguments(), path], {
    cwd: root,
    env: { ...inheritedEnvironment(), ...environment },
    stdio: ['ignore', output.fd, output.fd],
  });
  await output.close();
  const { pid } = child;
  if (pid === undefined) throw new Error(`${path} could not be started.`);
  cleanUpOnExit({ pid });
  cleanUpOnExit({ directory: folder });
  const ended = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    memoryMib: async () => {
      const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(pid)]);
      return (Number(stdout) * bytesPerKib) / bytesPerMib;
    },
    processorMs: () => processorMs(pid),
    bytesRead: async () => {
      const counters = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
      const read = /^rchar: (\d+)$/m.exec(counters)?.[1];
      return read === undefined ? null : Number(read);
    },
    requireAlive: async () => {
      if (hasEnded()) throw new Error(`${path} has ended:\n${await readFile(log, 'utf8')}`);
    },
    stop: async () => {
      if (!hasEnded()) child.kill('SIGTERM');
      await ended;
      cancelCleanUp(pid);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function profileArguments(): string[] {
  const folder = process.env['NODE_PROFILE_DIR'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
