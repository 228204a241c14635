import pg from 'pg';
import { currentEpoch, currentTenant } from '../fairness/current-work.ts';
import { RoundRobinQueue } from '../fairness/fair-queue.ts';
import { canBeginInTurn } from '../fairness/loop.ts';
import type { Epoch, Epochs } from './epochs.ts';
import { noConnection } from './no-connection.ts';

type OnConnection = Parameters<pg.Pool['connect']>[0];

/** Limit of the wait for a free connection, in milliseconds; also of opening one. */
export const waitLimitMs = 10_000;

/** Limit of the requests of one tenant that wait for a connection. The wait limit alone would let them fill the memory. */
const maxWaiting = 10_000;

/** The group of work that belongs to no tenant, such as health checks. It takes turns like a tenant. */
const ownWork = 0;

/** A request for a connection. */
interface Request {
  /** Called once. */
  answer: OnConnection;
  /** The epoch in which the ids of the work were looked up. */
  epoch: Epoch | undefined;
  waitTimer: NodeJS.Timeout | undefined;
}

/**
 * A pool whose tenants take turns: a free connection goes to the next tenant that waits, however many requests the others have in
 * the queue. A request that waits longer than `waitLimitMs` fails. `failAll` fails all work when the server hangs.
 *
 * The pool gives no connection to work whose epoch has ended, or is of another database server. A connection belongs to the database that
 * it has identified. The pool closes it when another one begins an epoch.
 */
export class ServicePool extends pg.Pool {
  /** While true, work fails at once. */
  isHanging: () => boolean = () => false;
  readonly #size: number;
  readonly #epochs: Epochs;
  readonly #clients = new Set<pg.PoolClient>();
  /** Identity of the database that each connection leads to. */
  readonly #identities = new WeakMap<pg.ClientBase, string>();
  /** Requests without an answer. */
  readonly #requests = new Set<Request>();
  /** Requests that wait for a connection, by tenant. */
  readonly #waiting = new RoundRobinQueue<Request>();
  /** Connections that are in use or being opened. */
  #inUse = 0;
  /** Set while a free connection waits for the next turn of the event loop. */
  #nextTurn: NodeJS.Immediate | undefined;

  constructor({ max, epochs, ...options }: pg.PoolConfig & { max: number; epochs: Epochs }) {
    super({ ...options, max, connectionTimeoutMillis: waitLimitMs });
    this.#size = max;
    this.#epochs = epochs;
    epochs.onBegin(() => this.#closeOthers());
    this.on('connect', (client) => this.#clients.add(client));
    this.on('remove', (client) => this.#clients.delete(client));
    this.on('release', () => this.#serveNext());
  }

  /** Requests that wait for a connection. */
  get queuedCount(): number {
    return this.#waiting.size;
  }

  /** Fails all running and waiting work, as if the server had closed its connections. Waiting work gets the error. */
  failAll(error: Error): void {
    this.#waiting.clear();
    for (const request of this.#requests) this.#refuse(request, error);
    for (const client of this.#clients) cut(client);
  }

  /**
   * Reads the identity of the database that a new connection leads to. Throws if an epoch begins meanwhile: the connection may lead to
   * the server before.
   */
  async identify(client: pg.ClientBase, read: () => Promise<string>): Promise<void> {
    const { current } = this.#epochs;
    const identity = await read();
    if (!current.isCurrent && identity !== this.#epochs.identity) throw otherServer();
    this.#identities.set(client, identity);
    this.#epochs.observe(identity);
  }

  /** Closes the connections to the database of an earlier epoch. What they would still commit may be lost. */
  #closeOthers(): void {
    const { identity } = this.#epochs;
    for (const client of this.#clients) {
      const own = this.#identities.get(client);
      if (own !== undefined && own !== identity) cut(client);
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): Promise<pg.PoolClient> | undefined {
    if (callback !== undefined) {
      this.#connect(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => (client === undefined ? reject(error) : resolve(client)));
    });
  }

  #connect(answer: OnConnection): void {
    if (this.isHanging()) {
      process.nextTick(answer, serverHangs(), undefined, () => undefined);
      return;
    }
    const request = { answer, epoch: currentEpoch(), waitTimer: undefined };
    this.#requests.add(request);
    const group = currentTenant() ?? ownWork;
    if (this.#inUse < this.#size && this.#waiting.sizeOf(group) === 0) this.#serve(request);
    else this.#wait(group, request);
  }

  #serve(request: Request): void {
    this.#inUse += 1;
    super.connect((error, client, release) => {
      // A failure ends in a tick of its own, because the next request may fail at once.
      if (client === undefined) process.nextTick(() => this.#serveNext());
      if (client !== undefined && !this.#mayUse(request)) {
        release();
        this.#refuse(request, otherServer());
      } else if (this.#requests.delete(request)) request.answer(error, client, release);
      else if (client !== undefined) release();
    });
  }

  /** Whether the ids of the work were looked up in this run of this database: not in an ended epoch, nor on another server. */
  #mayUse({ epoch }: Request): boolean {
    return epoch === undefined || (epoch.isCurrent && epoch.of === this.#epochs);
  }

  #wait(group: number, request: Request): void {
    if (this.#waiting.sizeOf(group) >= maxWaiting) {
      process.nextTick(() => this.#refuse(request, noConnection('Too many requests wait for a connection.')));
      return;
    }
    this.#waiting.add(group, request);
    request.waitTimer = setTimeout(() => {
      this.#waiting.remove(group, request);
      this.#refuse(request, noConnection('No connection was free in time.'));
    }, waitLimitMs);
  }

  /** A connection is free: it was released, or could not be opened. */
  #serveNext(): void {
    this.#inUse -= 1;
    this.#serveWaiting();
  }

  /**
   * Gives a free connection to the next tenant. A tenant whose results take long to read gets one connection in each turn of the
   * event loop: the loop reads every result that has arrived, so other tenants would wait for all of them.
   */
  #serveWaiting(): void {
    if (this.#inUse === this.#size) return;
    const next = this.#waiting.take(canBeginInTurn);
    if (next !== undefined) {
      clearTimeout(next.item.waitTimer);
      this.#serve(next.item);
    }
    if (this.#waiting.size > 0 && this.#inUse < this.#size) this.#serveInNextTurn();
  }

  #serveInNextTurn(): void {
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = undefined;
      this.#serveWaiting();
    });
  }

  #refuse(request: Request, error: Error): void {
    clearTimeout(request.waitTimer);
    if (this.#requests.delete(request)) request.answer(error, undefined, () => undefined);
  }
}

/** The type of the driver hides the socket. */
interface WithStream {
  connection: { stream: { destroy(): void } };
}

/** Closes a connection at once. */
function cut(client: pg.PoolClient): void {
  (client as unknown as WithStream).connection.stream.destroy();
}

function serverHangs(): Error {
  return noConnection('The database server does not answer.');
}

function otherServer(): Error {
  return noConnection('The database server has changed, or was restarted.');
}
