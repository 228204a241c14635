import pg from 'pg';
import { pause, withTimeLimit } from '../process/time.ts';
import { configureSession } from './session.ts';

/** Pause between two checks, in milliseconds. */
const pauseMs = 500;

/** Limit of one step of a check, in milliseconds: of the connection and of the query. */
const limitMs = 1_500;

/** Limit of the wait for the end of the connection, in milliseconds. */
const closeMs = 500;

/** Failed checks in a row after which the server counts as hanging. One may be due to a busy machine. */
const maxFailures = 2;

interface ServerWatchOptions {
  url: string;
  /** Called when the server begins to hang, about 4 s after its last answer. */
  onHang: () => void;
}

/** Reports whether the server hangs. */
export interface ServerWatch {
  isHanging(): boolean;
  stop(): Promise<void>;
}

/**
 * Checks twice a second, over a connection of its own, whether the server answers. A server that is stopped, or behind a network
 * that loses packets, closes no connection, so that queries would wait for their own time limits. A server that refuses or ends
 * connections does not hang: its clients get errors at once.
 */
export function watchServer({ url, onHang }: ServerWatchOptions): ServerWatch {
  const stop = new AbortController();
  let failures = 0;
  const onAnswer = () => {
    failures = 0;
  };
  const onFailure = (error: unknown) => {
    failures = isTimeout(error) ? failures + 1 : 0;
    if (failures === maxFailures) onHang();
  };
  const watch = async () => {
    while (!stop.signal.aborted) {
      await checkUntilFailure(url, stop.signal, onAnswer).catch(onFailure);
      if (failures === 0) await pause(pauseMs, stop.signal);
    }
  };
  const watching = watch();
  return {
    isHanging: () => failures >= maxFailures,
    stop: async () => {
      stop.abort();
      await watching;
    },
  };
}

/** Resolves when `stop` aborts. Rejects when a check fails. */
async function checkUntilFailure(url: string, stop: AbortSignal, onAnswer: () => void): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'continuity-watch',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  // The next check fails with the same error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await configureSession(client);
    while (!stop.aborted) {
      await client.query('SELECT 1');
      onAnswer();
      await pause(pauseMs, stop);
    }
  } finally {
    await withTimeLimit(client.end(), closeMs).catch(() => undefined);
  }
}

/** The driver's errors of both limits have no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}
