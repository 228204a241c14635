import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ifThere } from '../local/user-state.ts';

/**
 * When a host last sent an event, and what failed since all was well: for `continuity doctor`. The time is that of a folder, so that no
 * file is left where nothing waits and nothing failed. Never throws.
 */
export class HostStatus {
  readonly #folder: string;
  readonly #failure: string;

  constructor(state: string, host: string) {
    this.#folder = join(state, 'hosts', host);
    this.#failure = join(this.#folder, 'failure');
  }

  /** Notes an event. One without a failure forgets the last one. */
  seen(isWell: boolean): void {
    attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const now = new Date();
      utimesSync(this.#folder, now, now);
      if (isWell) rmSync(this.#failure, { force: true });
    });
  }

  failed(message: string): void {
    attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#failure, message, { mode: 0o600 });
    });
  }

  /** Undefined for a host without an event. */
  read(): { lastEvent: Date; failure: string | undefined } | undefined {
    const status = statSync(this.#folder, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    return { lastEvent: status.mtime, failure: ifThere(() => readFileSync(this.#failure, 'utf8')) };
  }
}

/** A state folder that cannot be written was reported with the text that it could not take. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {}
}
