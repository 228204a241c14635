import { writeSync } from 'node:fs';

/** Size from which the buffer is written, in characters, and limit of the time that a line waits in it, in milliseconds. */
const minLength = 8_192;
const waitMs = 200;

/** Limit of what waits for a reader that does not read, in characters. Further lines are dropped and counted. */
const maxLength = 1_048_576;

/** Attempts of the last flush while the reader does not read, and the pause between two, in milliseconds. */
const lastAttempts = 50;
const lastPauseMs = 20;

/**
 * Buffers the lines of a file descriptor, because one system call for each line cost a tenth of a request's time. A reader that has gone, such
 * as the closed end of a pipe, neither fails nor delays the process: its lines are dropped. `pino.destination` would try for ever to write
 * them at the exit.
 */
export class BufferedOutput {
  readonly #descriptor: number;
  #waiting = '';
  /** Bytes that the reader has not taken. */
  #rest = Buffer.alloc(0);
  #dropped = 0;
  #isBroken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#isBroken) return;
    if (this.#waiting.length + this.#rest.length > maxLength) this.#dropped += 1;
    else this.#waiting += line;
    if (this.#waiting.length >= minLength) this.#flush();
    this.#flushLater();
  }

  /** Writes what waits before the process exits: for at most a second if the reader does not read. */
  flushLast(): void {
    for (let attempt = 0; attempt < lastAttempts; attempt += 1) {
      this.#flush();
      if (this.#waiting === '' && this.#rest.length === 0) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lastPauseMs);
    }
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), waitMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let bytes = Buffer.concat([this.#rest, Buffer.from(this.#waiting)]);
    this.#waiting = '';
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(this.#descriptor, bytes));
    } catch (error) {
      // A busy reader takes the rest later, also if no further line comes. After any other error, nobody reads.
      this.#isBroken = (error as NodeJS.ErrnoException).code !== 'EAGAIN';
    }
    this.#rest = this.#isBroken ? Buffer.alloc(0) : bytes;
    if (this.#rest.length > 0) this.#flushLater();
    if (bytes.length === 0 && this.#dropped > 0) this.#reportDropped();
  }

  #reportDropped(): void {
    const line = { level: 40, time: Date.now(), count: this.#dropped, msg: 'log lines were dropped' };
    this.#dropped = 0;
    this.write(`${JSON.stringify(line)}\n`);
  }
}
