import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  type Backoff,
  pause,
  type ReadyMessage,
  RetryDelays,
  StartRefusedError,
} from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';

/** Makes glibc return freed memory to the system, as in the container image: 15 MB of an idle process. */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Pauses before a process that ended by itself is started again. A process that ends at once again and again waits longer. */
const restartBackoff: Backoff = { firstMs: 1_000, longestMs: 30_000 };

interface ServiceProcessOptions {
  /** Path of the program, below the root of the repository. */
  program: 'dist/api.mjs' | 'dist/workers.mjs' | 'dist/reports.mjs' | 'dist/embedder.mjs';
  /** Read at each start of the process. */
  environment: NodeJS.ProcessEnv;
  logger: Logger;
  /** Niceness of the process: 0, the default, is the normal priority, 19 the lowest. */
  niceness?: number;
}

/** Thrown if a process ends before it is ready. */
export class EndedTooEarlyError extends StartRefusedError {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;

  constructor(program: string, exitCode: number | null) {
    super(`The process ${program} did not start: it ended with exit code ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** A service in a process of its own. A process that ends by itself after its first start is started again. */
export class ServiceProcess {
  readonly #options: ServiceProcessOptions;
  #child: ChildProcess | undefined;
  #ended = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(options: ServiceProcessOptions) {
    this.#options = options;
  }

  /** Resolves when the service is ready, with its URL (null for workers). Rejects if it ends before that. */
  async start(): Promise<string | null> {
    const url = await this.#spawn();
    void this.#restartOnExit();
    return url;
  }

  /** Makes a gateway read its tokens file again. */
  reloadTokens(): void {
    this.#child?.kill('SIGHUP');
  }

  /** Sends SIGTERM and waits for the exit. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  async #spawn(): Promise<string | null> {
    const { program, environment, niceness = 0 } = this.#options;
    const child = spawn(process.execPath, [fileURLToPath(new URL(`../../../${program}`, import.meta.url))], {
      env: { ...allocator, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C reaches the parent alone, which stops the gateway before the workers.
      detached: true,
    });
    this.#child = child;
    // Only root may raise a priority, such as that of a service that was started with `nice`.
    if (child.pid !== undefined && niceness > getPriority()) lowerPriority(child.pid, niceness);
    const { promise: ready, resolve, reject } = Promise.withResolvers<string | null>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#ended = ended;
    child.once('message', ({ readyUrl }: ReadyMessage) => resolve(readyUrl));
    child.once('error', (error) => {
      reject(error);
      // A process that could not be created has no exit.
      if (child.pid === undefined) end();
    });
    child.once('exit', (code) => {
      reject(new EndedTooEarlyError(program, code));
      end();
    });
    return await ready;
  }

  async #restartOnExit(): Promise<void> {
    const { program, logger } = this.#options;
    const delays = new RetryDelays(restartBackoff);
    for (;;) {
      await this.#ended;
      if (this.#stop.signal.aborted) return;
      logger.error({ program }, 'a service process ended by itself; restarting it');
      await pause(delays.next(), this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      await this.#spawn().catch((error) => logger.error({ err: error, program }, 'the restart failed'));
    }
  }
}

/** Sets the niceness of a process that leads its own session. */
function lowerPriority(pid: number, niceness: number): void {
  setPriority(pid, niceness);
  try {
    // Linux may share the processors between sessions, and counts the niceness of a process only among those of its session.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // Other systems have no such file, and then no such rule.
  }
}
