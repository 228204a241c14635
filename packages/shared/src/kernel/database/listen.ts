import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withinTime } from '../time-limit.ts';

export interface ListenOptions {
  url: string;
  channel: string;
  /** Told each payload. Notifications sent while the connection was down are lost. */
  onPayload: (payload: string) => void;
  /** Told why the connection broke; it is made again by itself. */
  onError: (error: unknown) => void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Pause between two attempts to connect. */
const retryMs = 500;

/** A server that is gone never confirms the end of a connection. */
const hangUpMs = 1_000;

/**
 * LISTENs on one channel over a connection of its own, for ever. Resolves once the first attempt has succeeded or failed,
 * so that a process starts with its ears open where that is possible, and starts all the same where it is not.
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
  while (!stop.aborted) {
    try {
      await listenOnce(options, stop, onTried);
    } catch (error) {
      if (!stop.aborted) options.onError(error);
    }
    onTried();
    await sleep(retryMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Resolves when told to stop, rejects when the connection breaks. */
async function listenOnce(
  { url, channel, onPayload }: ListenOptions,
  stop: AbortSignal,
  onListening: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `continuity-listen-${channel}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  // Waited for only after LISTEN; until then its failure is that of `connect` or `query`.
  over.catch(() => undefined);
  const hangUp = () => withinTime(client.end(), hangUpMs).catch(() => undefined);
  const stopped = () => {
    resolve();
    // Also ends an attempt to connect that is under way.
    void hangUp();
  };
  stop.addEventListener('abort', stopped);
  client.on('error', reject);
  client.on('end', () => reject(new Error('The listening connection ended.')));
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    onListening();
    await over;
  } finally {
    stop.removeEventListener('abort', stopped);
    await hangUp();
  }
}
