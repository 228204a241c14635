import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';
import { waitUntil } from './wait.ts';

const rootDirectory = fileURLToPath(new URL('../../../', import.meta.url));

/** Limit of the start of a process on a busy machine. */
const startMs = 180_000;

export type RunningProcess = {
  readonly pid: number;
  /** Output to stdout and stderr so far. */
  output(): string;
  /** Resolves to the first complete line, past or future, that matches `pattern`. */
  waitForLine(pattern: RegExp | string, timeoutMs?: number): Promise<string>;
  /** Requests `url` until the answer has the wanted status (default 200), and resolves to that answer. */
  waitForHttp(url: string, options?: { status?: number; timeoutMs?: number }): Promise<Response>;
  /** Sends a signal (default SIGTERM) without waiting for the end. */
  kill(signal?: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Kills the process if it runs, and waits for its end. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Runs a program such as `['dist/api.mjs']` as a child process on the same Node, in the repository's root. Its
 * environment is `env` and a few variables of the operating system and of Node. It is killed when this process ends.
 */
export function runProcess(args: string[], env: Readonly<Record<string, string>> = {}): RunningProcess {
  const child = spawn(process.execPath, args, {
    cwd: rootDirectory,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`could not start ${args.join(' ')}`);
  cleanUpOnExit({ pid });

  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  let ended = false;
  const exited: RunningProcess['exited'] = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      ended = true;
      cancelCleanUp(pid);
      resolve({ code, signal });
    });
  });
  // Polls `condition` until it returns a value; throws if the process ends before.
  const waitWhileAlive = async <T extends object>(
    condition: () => Promise<T | undefined> | T | undefined,
    what: string,
    timeoutMs: number,
  ): Promise<T> => {
    const explain = (problem: string) =>
      new Error(`${args.join(' ')} ${problem} ${what}; output:\n${output}`);
    const found = await waitUntil<T | 'ended' | undefined>(
      async () => (await condition()) ?? (ended ? 'ended' : undefined),
      { timeoutMs },
    ).catch(() => {
      throw explain(`did not provide, within ${timeoutMs} ms,`);
    });
    if (found === 'ended') throw explain('ended before it provided');
    return found as T;
  };

  return {
    pid,
    output: () => output,
    exited,
    async waitForLine(pattern, timeoutMs = startMs) {
      const lines = () => output.split('\n').slice(0, -1);
      const matches = (line: string) =>
        typeof pattern === 'string' ? line.includes(pattern) : pattern.test(line);
      const { line } = await waitWhileAlive(
        () => {
          const line = lines().find(matches);
          return line === undefined ? undefined : { line };
        },
        `a line with ${pattern}`,
        timeoutMs,
      );
      return line;
    },
    async waitForHttp(url, { status = 200, timeoutMs = startMs } = {}) {
      const ask = async () => {
        const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
        if (response?.status === status) return response;
        await response?.body?.cancel();
        return undefined;
      };
      return await waitWhileAlive(ask, `status ${status} from ${url}`, timeoutMs);
    },
    kill(signal = 'SIGTERM') {
      child.kill(signal);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** Variables of the operating system and of Node that a started program gets. It gets no setting of this process. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
