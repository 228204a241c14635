import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { leash, unleash } from './leash.ts';
import { waitUntil } from './wait.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot'];

export type RunningProcess = {
  readonly pid: number;
  /** What it has written to stdout and stderr so far. */
  output(): string;
  /** Resolves to the first whole line, past or future, that `pattern` matches. */
  waitForLine(pattern: RegExp | string, timeoutMs?: number): Promise<string>;
  /** Resolves to the first answer of `url` with the wanted status (default 200). */
  waitForHttp(url: string, options?: { status?: number; timeoutMs?: number }): Promise<Response>;
  /** Sends a signal (default SIGTERM) and does not wait. */
  kill(signal?: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Kills it if it still runs, and waits for its end. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Runs a service entry point (`['services/api/src/main.ts']`) on this Node as a child process, from the repository's
 * root. It gets `env` and nothing else of this process' settings. Dies with this process at the latest.
 */
export function runProcess(args: string[], env: Readonly<Record<string, string>> = {}): RunningProcess {
  const inherited = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`could not start ${args.join(' ')}`);
  leash({ pid });

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
      unleash(pid);
      resolve({ code, signal });
    });
  });
  // `condition` answers with what is waited for, or undefined as long as it is not there.
  const waitWhileAlive = async <T extends object>(
    condition: () => Promise<T | undefined> | T | undefined,
    what: string,
    timeoutMs: number,
  ): Promise<T> => {
    const explain = (problem: string) =>
      new Error(`${args.join(' ')} ${problem} ${what}; it wrote:\n${output}`);
    const found = await waitUntil<T | 'ended' | undefined>(
      async () => (await condition()) ?? (ended ? 'ended' : undefined),
      { timeoutMs },
    ).catch(() => {
      throw explain(`did not within ${timeoutMs} ms give`);
    });
    if (found === 'ended') throw explain('ended before');
    return found as T;
  };

  return {
    pid,
    output: () => output,
    exited,
    async waitForLine(pattern, timeoutMs = 20_000) {
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
    async waitForHttp(url, { status = 200, timeoutMs = 20_000 } = {}) {
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
