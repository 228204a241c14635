import { type Backoff, type Repetition, RetryDelays, repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { type MoveWatch, type TenantDirectory, watchMovesMs } from '@continuity/shared/tenants';
import type { Runtime } from './runtime.ts';

/** Delays between look-ups of tenants that have no server yet. */
const placeBackoff: Backoff = { firstMs: 1_000, longestMs: 5_000 };

/** Interval at which the work of tenants is ended that a restored server has from its backup, in milliseconds. */
const departedWorkMs = 1_000;

/** A database server to and from which tenants move. */
interface FollowedServer {
  name: string | null;
  runtime: Pick<Runtime, 'assembleSoon'>;
  moves: MoveWatch;
}

/** Keeps the directory of a gateway up to date, in a deployment with several database servers, until `stop`. */
export class MoveFollower {
  readonly #all: readonly FollowedServer[];
  readonly #directory: TenantDirectory;
  readonly #following: Repetition;
  readonly #cleaning: Repetition;
  readonly #placeDelays = new RetryDelays(placeBackoff);
  /** When tenants without a server are looked up again, by `performance.now`. */
  #placeAt = 0;
  /** Servers that did not answer the last question for their moves. */
  #silent: ReadonlySet<string | null> = new Set();

  constructor(all: readonly FollowedServer[], directory: TenantDirectory, logger: Logger) {
    this.#all = all;
    this.#directory = directory;
    this.#following = repeat(
      watchMovesMs,
      () => this.#follow(),
      (error) => logger.warn({ err: error }, 'looking up the servers of tenants failed'),
    );
    // Apart from the moves, which must not wait for it.
    this.#cleaning = repeat(
      departedWorkMs,
      () => directory.endDepartedWork(),
      (error) => logger.warn({ err: error }, 'ending the work of tenants that have moved away failed'),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.#following.stop(), this.#cleaning.stop()]);
  }

  /** Looks tenants up again that have no server yet, or have moved to another one. */
  async #follow(): Promise<void> {
    // A server that does not answer is noticed elsewhere.
    const answers = await Promise.allSettled(this.#all.map(({ moves }) => moves.refresh()));
    const silent = new Set(
      this.#all.filter((_, index) => answers[index]?.status === 'rejected').map(({ name }) => name),
    );
    // One that answers again may be what new tenants wait for.
    if ([...this.#silent].some((name) => !silent.has(name))) this.#placeAt = 0;
    this.#silent = silent;
    const moved = this.#all.flatMap(({ name, moves }) =>
      [...moves.names].filter((tenant) => this.#directory.serverOf(tenant) === name),
    );
    const isUnplaced = this.#directory.unplaced.length > 0;
    const isDue = isUnplaced && performance.now() >= this.#placeAt;
    if (moved.length === 0 && !isDue) return;
    await this.#directory.refresh();
    if (isDue) this.#placeAt = performance.now() + this.#placeDelays.next();
    const isFollowed = moved.some((tenant) => !this.#isMisplaced(tenant));
    // New caches: those of a server may be older than what the tenant has done elsewhere.
    if (isFollowed) for (const { runtime } of this.#all) runtime.assembleSoon();
  }

  #isMisplaced(tenant: string): boolean {
    const server = this.#all.find(({ name }) => name === this.#directory.serverOf(tenant));
    return server === undefined || server.moves.names.has(tenant);
  }
}
