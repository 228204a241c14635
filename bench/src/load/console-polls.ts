/** The repeated requests of an open console (spec 60 §6.3). Home, the page with the most of them, has these. */
const polls = [
  { path: '/v1/queues', intervalMs: 5_000 },
  { path: '/health/ready', intervalMs: 15_000 },
  {
    path: '/v1/artifact-candidates/inbox',
    body: { selection: { mode: 'all' }, limit: 1 },
    intervalMs: 30_000,
  },
];

/** Consoles that poll, until `stop`. */
export interface ConsolePolls {
  /** Throws if a poll has failed. */
  stop(): Promise<void>;
}

/** Polls as so many open consoles do whose intervals began at different times. */
export function pollAsConsoles(url: string, consoles: number): ConsolePolls {
  const ended = new AbortController();
  const running = polls.map(async ({ path, body, intervalMs }) => {
    const pauseMs = intervalMs / consoles;
    const request =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    for (let dueAt = performance.now(); !ended.signal.aborted; dueAt += pauseMs) {
      const response = await fetch(url + path, request);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
      await sleepUntil(dueAt + pauseMs, ended.signal);
    }
  });
  const all = Promise.all(running);
  // `stop` reports a failure.
  all.catch(() => undefined);
  return {
    stop: async () => {
      ended.abort();
      await all;
    },
  };
}

function sleepUntil(at: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, at - performance.now()));
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
