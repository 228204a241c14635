import { configureSession, ServiceClient } from '@continuity/kernel/database';
import { type Backoff, retryUntilStopped, withTimeLimit } from '@continuity/kernel/process';
import pg from 'pg';

interface ListenOptions {
  url: string;
  channel: string;
  /** Receives each payload. Notifications that are sent while the connection is down are lost. */
  onPayload: (payload: string) => void;
  /** Receives the error that broke the connection. The listener reconnects by itself. */
  onError: (error: unknown) => void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Delay between two attempts to connect. */
const retryBackoff: Backoff = { firstMs: 500, longestMs: 5_000 };

/** Limit of the wait for the end of a connection, in milliseconds: a server that is gone never confirms it. */
const closeMs = 1_000;

/**
 * Listens on one channel over a separate connection, and reconnects until `close`. Resolves when the first attempt has
 * succeeded or failed, so that a process also starts while the database is down.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const stop = new AbortController();
  const { promise: tried, resolve: firstTry } = Promise.withResolvers<void>();
  const done = keepListening(options, stop.signal, firstTry);
  await tried;
  return {
    async close() {
      stop.abort();
      await done;
    },
  };
}

async function keepListening(options: ListenOptions, stop: AbortSignal, onTried: () => void): Promise<void> {
  await retryUntilStopped(() => listenOnce(options, stop, onTried), {
    backoff: retryBackoff,
    stop,
    onFailure: (error) => {
      options.onError(error);
      onTried();
    },
  });
  onTried();
}

/** Resolves when `stop` aborts, rejects when the connection breaks. */
async function listenOnce(
  { url, channel, onPayload }: ListenOptions,
  stop: AbortSignal,
  onListening: () => void,
): Promise<void> {
  const client = new ServiceClient({
    connectionString: url,
    application_name: `continuity-listen-${channel}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  // A query that runs at the end of the connection fails with the same error.
  over.catch(() => undefined);
  const close = () => withTimeLimit(client.end(), closeMs).catch(() => undefined);
  const stopped = () => {
    resolve();
    // Also ends an attempt to connect.
    void close();
  };
  stop.addEventListener('abort', stopped);
  client.on('error', reject);
  client.on('end', () => reject(new Error('The listening connection ended.')));
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  try {
    // `connect` never settles if the connection ends after `client.end()`.
    await Promise.race([client.connect(), over]);
    await configureSession(client);
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    onListening();
    await over;
  } finally {
    stop.removeEventListener('abort', stopped);
    await close();
  }
}
