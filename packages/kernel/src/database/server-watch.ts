import { pause, TimeLimitError, withTimeLimit } from '../process/time.ts';
import { type Epochs, readIdentity } from './epochs.ts';
import { isReadOnlyServer } from './no-connection.ts';
import { configureSession } from './session.ts';
import { ServiceClient } from './writer.ts';

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
  epochs: Epochs;
  /** Called when the server begins to hang, about 4 s after its last answer. */
  onHang: () => void;
  /** Called when the server refuses writes. */
  onReadOnly: () => void;
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
 *
 * Begins an epoch when the server ends the connection of the checks, as it does in a crash, and when this connection leads to another
 * database. A late answer begins none.
 */
export function watchServer({ url, epochs, onHang, onReadOnly }: ServerWatchOptions): ServerWatch {
  const stop = new AbortController();
  let failures = 0;
  const onAnswer = () => {
    failures = 0;
  };
  const onFailure = (error: unknown) => {
    failures = error instanceof TimeLimitError ? failures + 1 : 0;
    if (isReadOnlyServer(error)) onReadOnly();
    if (failures === maxFailures) onHang();
  };
  const watch = async () => {
    while (!stop.signal.aborted) {
      await checkUntilFailure(url, epochs, stop.signal, onAnswer).catch(onFailure);
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
async function checkUntilFailure(
  url: string,
  epochs: Epochs,
  stop: AbortSignal,
  onAnswer: () => void,
): Promise<void> {
  const client = new ServiceClient({
    connectionString: url,
    application_name: 'continuity-watch',
    // Closes the socket of a connection that the watch has given up.
    connectionTimeoutMillis: limitMs + closeMs,
  });
  let isIdentified = false;
  // The next check fails with the same error.
  client.on('error', () => {
    if (isIdentified) epochs.begin();
    isIdentified = false;
  });
  try {
    await withTimeLimit(client.connect(), limitMs);
    epochs.observe(await withTimeLimit(configureSession(client), limitMs));
    isIdentified = true;
    while (!stop.aborted) {
      onAnswer();
      await pause(pauseMs, stop);
      epochs.observe(await withTimeLimit(readIdentity(client), limitMs));
    }
  } catch (error) {
    client.leaveServer();
    throw error;
  } finally {
    await withTimeLimit(client.end(), closeMs).catch(() => undefined);
  }
}
