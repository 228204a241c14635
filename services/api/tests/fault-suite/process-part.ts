import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type RunningProcess, runProcess, waitUntil } from '@continuity/testing';

const disguise = ['--import', fileURLToPath(new URL('./disguise.ts', import.meta.url))];

/** Limit of the start of a process on a busy machine. */
const startMs = 180_000;

export interface ProcessSettings {
  name: string;
  program: string;
  /** Part of the line that the process logs once it serves. */
  readyLine: string;
  environment: Record<string, string>;
  directory: string;
}

/** A process of a gateway or a worker that faults can kill, freeze, or give another clock. */
export class ProcessPart {
  readonly name: string;
  readonly #settings: ProcessSettings;
  readonly #clockFile: string;
  #running: RunningProcess | undefined;
  #workerId = '';
  #lives = 0;

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.#clockFile = `${settings.directory}/${settings.name}.clock`;
  }

  /** Starts the process under a host name that it never had. Resolves when it serves. */
  async start(): Promise<void> {
    this.#lives += 1;
    const { program, environment, readyLine, name } = this.#settings;
    this.#running = runProcess([...disguise, program], {
      ...environment,
      TEST_HOSTNAME: `${name}-host-${this.#lives}`,
      TEST_CLOCK_FILE: this.#clockFile,
    });
    const line = await this.#running.waitForLine(readyLine, startMs);
    this.#workerId = (JSON.parse(line) as { worker_id?: string }).worker_id ?? '';
  }

  /** The id of a worker in the tables of workers and jobs, of the process that was started last. */
  workerId(): string {
    return this.#workerId;
  }

  async kill(): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
  }

  async freeze(): Promise<void> {
    this.#running?.kill('SIGSTOP');
  }

  async wake(): Promise<void> {
    this.#running?.kill('SIGCONT');
  }

  /** Sets the wall clock of the process ahead by `offsetMs`. Resolves when the process has said so. */
  async shiftClock(offsetMs: number): Promise<void> {
    await writeFile(this.#clockFile, String(offsetMs));
    const before = this.output().length;
    this.#running?.kill('SIGUSR2');
    await waitUntil(() => this.output().slice(before).includes(`clock ${offsetMs}\n`));
  }

  output(): string {
    return this.#running?.output() ?? '';
  }
}
