import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';

/** A server program that runs as a child process. */
export interface ServerProgram {
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
  /** Stops the server with SIGSTOP, until `wake`: its connections stay open. */
  freeze(): Promise<void>;
  wake(): Promise<void>;
}

/** Runs a server, and resolves when its output contains `ready`. It leads its own process group and ends with this process. */
export async function runServerProgram(
  program: string,
  args: string[],
  ready: string,
  options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> = {},
): Promise<ServerProgram> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const { pid } = child;
  if (pid !== undefined) cleanUpOnExit({ pid });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output = (output + chunk).slice(-4_000);
        if (output.includes(ready)) resolve();
      });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${program} did not start:\n${output}`)));
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    if (pid !== undefined) cancelCleanUp(pid);
  };
  return {
    pid: pid ?? 0,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze: async () => void child.kill('SIGSTOP'),
    wake: async () => void child.kill('SIGCONT'),
  };
}
