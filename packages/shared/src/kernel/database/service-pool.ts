import pg from 'pg';

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
