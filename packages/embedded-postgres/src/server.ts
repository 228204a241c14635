import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Account, serverAccount } from './account.ts';
import { type Binaries, environment, findBinaries } from './binaries.ts';
import { type DataDirectory, initialize } from './initialize.ts';
import { availableMemory, sharedBuffers } from './memory.ts';
import { claim, occupantOf } from './owner.ts';

const execute = promisify(execFile);

/** Also of a standby, which accepts read-only connections. */
const readyMessage = /database system is ready to accept (read-only )?connections/;
const logLines = 20;
const afterCrashMs = 10_000;
const windows = process.platform === 'win32';

type EmbeddedPostgresOptions = {
  /** The data directory. The first `start` creates it. */
  directory: string;
  /** A TCP port on 127.0.0.1. */
  port: number;
  /** Password of the superuser `postgres`, set when the directory is initialized. Default `postgres`. */
  password?: string;
  /** Server settings, as in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** False turns fsync off: a crash of the machine may lose data. Default true. */
  durable?: boolean;
};

/**
 * A PostgreSQL server as a child process, on 127.0.0.1 only. It leads its own process group, so that Ctrl-C in the terminal
 * does not end it before the process that uses it. It installs no signal handlers: the caller stops it.
 */
export class EmbeddedPostgres {
  readonly #options: EmbeddedPostgresOptions;
  readonly #directory: string;
  readonly #password: string;
  #process: ChildProcess | undefined;
  #log: string[] = [];

  constructor(options: EmbeddedPostgresOptions) {
    this.#options = options;
    this.#directory = resolve(options.directory);
    this.#password = options.password ?? 'postgres';
  }

  get port(): number {
    return this.#options.port;
  }

  /** The server's process id while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Connection URL of a database on this server. */
  url(database = 'postgres'): string {
    return `postgresql://postgres:${encodeURIComponent(this.#password)}@127.0.0.1:${this.port}/${database}`;
  }

  /**
   * Starts the server and resolves when it accepts connections. First stops a server that a killed process left in the same
   * directory. Throws if a live process owns the directory, or with PostgreSQL's last log lines if it does not start.
   */
  async start(): Promise<void> {
    if (this.#process) return;
    const [binaries, account] = await Promise.all([findBinaries(), serverAccount()]);
    await initialize(binaries, account, this.#dataDirectory());
    await this.#takeOver(binaries, account);
    await claim(this.#directory);
    const deadline = Date.now() + afterCrashMs;
    // After a kill, the last backends hold the shared memory for a moment.
    while (!(await this.#launch(binaries, account))) {
      const isMemoryHeld = this.#log.some((line) => line.includes('shared memory block'));
      if (!isMemoryHeld || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start in ${this.#directory}:\n${this.#log.join('\n')}`);
      }
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }

  /** Ends all sessions and shuts down cleanly. */
  async stop(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    const ended = once(running, 'exit');
    if (windows) await execute((await findBinaries()).pgCtl, this.#stopArguments());
    else running.kill('SIGINT');
    await ended;
  }

  /** Ends the server like a crash: it flushes nothing, and the next `start` recovers from the write-ahead log. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  #dataDirectory(): DataDirectory {
    const { durable = true } = this.#options;
    return { path: this.#directory, password: this.#password, durable };
  }

  async #takeOver(binaries: Binaries, account: Account): Promise<void> {
    if (windows) return;
    const occupant = await occupantOf(this.#directory);
    if (occupant.kind === 'owned') {
      throw new Error(`The database in ${this.#directory} is in use by process ${occupant.ownerPid}.`);
    }
    if (occupant.kind === 'orphan') {
      await execute(binaries.pgCtl, this.#stopArguments(), { ...account, env: environment() });
    }
  }

  #stopArguments(): string[] {
    return ['stop', '-D', this.#directory, '-m', 'fast', '-w'];
  }

  // Resolves to whether the server started. If not, the log contains the reason.
  #launch(binaries: Binaries, account: Account): Promise<boolean> {
    this.#log = [];
    const child = spawn(binaries.postgres, this.#serverArguments(), {
      ...account,
      cwd: this.#directory,
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: !windows,
    });
    return new Promise((settle, reject) => {
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        this.#log = [...this.#log, ...chunk.trimEnd().split('\n')].slice(-logLines);
        if (readyMessage.test(chunk)) {
          this.#process = child;
          settle(true);
        }
      });
      child.once('error', reject);
      child.once('exit', () => {
        this.#process = undefined;
      });
      child.once('close', () => settle(false));
    });
  }

  #serverArguments(): string[] {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: sharedBuffers(availableMemory()),
      ...(this.#options.durable === false
        ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
        : {}),
      ...this.#options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return ['-D', this.#directory, '-p', String(this.port), ...flags];
  }
}
