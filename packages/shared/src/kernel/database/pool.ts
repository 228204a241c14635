import pg from 'pg';
import { configureSession, queryLimitMs } from './session.ts';

/** Positions, counts and revisions are far below 2^53, so that a number holds them. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Midnight UTC, as in Prisma, not midnight in the time zone of this process.
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => new Date(`${text}T00:00:00Z`));
/** OID of `bigint[]` in pg_type. The driver has no name for it. */
const int8Array = 1016 as Parameters<typeof pg.types.setTypeParser>[0];
// `{1,2,3}`: no column holds a null element or a nested array.
pg.types.setTypeParser(int8Array, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);

export interface PoolOptions {
  url: string;
  size: number;
  /** Shows in pg_stat_activity. */
  name: string;
  /** Receives the error of an idle connection. The pool replaces the connection. */
  onIdleError: (error: Error) => void;
  /** SQL that runs on each new connection, after the limits of a session. */
  sessionSql?: string;
}

type OnConnection = Parameters<pg.Pool['connect']>[0];

/** A pool that can fail all its work at once, when the server hangs. */
export class ServicePool extends pg.Pool {
  /** While true, work fails at once. */
  isHanging: () => boolean = () => false;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #waiting = new Set<() => void>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => this.#clients.add(client));
    this.on('remove', (client) => this.#clients.delete(client));
  }

  /** Fails all running and waiting work, as if the server had closed its connections. */
  failAll(): void {
    for (const refuse of this.#waiting) refuse();
    for (const client of this.#clients) (client as unknown as WithStream).connection.stream.destroy();
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

  #connect(callback: OnConnection): void {
    if (this.isHanging()) {
      process.nextTick(callback, serverHangs(), undefined, () => undefined);
      return;
    }
    let isRefused = false;
    const refuse = () => {
      isRefused = true;
      this.#waiting.delete(refuse);
      callback(serverHangs(), undefined, () => undefined);
    };
    this.#waiting.add(refuse);
    super.connect((error, client, release) => {
      if (isRefused) {
        if (client !== undefined) release();
        return;
      }
      this.#waiting.delete(refuse);
      callback(error, client, release);
    });
  }
}

/** The type of the driver hides the socket. */
interface WithStream {
  connection: { stream: { destroy(): void } };
}

function serverHangs(): Error {
  return Object.assign(new Error('The database server does not answer.'), { code: 'ETIMEDOUT' });
}

/**
 * Creates a pool. Its connections pipeline: statements that are sent without waiting for one another share a round trip, and
 * the server runs them in order.
 */
export function createPool({ url, size, name, onIdleError, sessionSql }: PoolOptions): ServicePool {
  const pool = new ServicePool({
    connectionString: url,
    max: size,
    application_name: name,
    // Also the limit of the wait for a free connection.
    connectionTimeoutMillis: 10_000,
    query_timeout: queryLimitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    onConnect: (client) => configureSession(client, sessionSql),
  });
  pool.on('error', onIdleError);
  // A connection that breaks between two statements of a transaction fails the next one. Without a listener, the event would
  // end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
