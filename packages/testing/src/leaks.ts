import { waitUntil } from './wait.ts';

const watched = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'Timeout', 'Immediate'];

type ResourceWatch = {
  /** Kinds of resources of which more are open than at the start, after at most `timeoutMs` (default 10 s). */
  leaked(timeoutMs?: number): Promise<string[]>;
};

/** Counts the open sockets, servers, child processes and timers. Call `leaked` after a shutdown to compare. */
export function watchResources(): ResourceWatch {
  const before = countResources();
  const findGrown = () =>
    [...countResources()].filter(([kind, open]) => open > (before.get(kind) ?? 0)).map(([kind]) => kind);
  return {
    async leaked(timeoutMs = 10_000) {
      await waitUntil(() => findGrown().length === 0, { timeoutMs }).catch(() => undefined);
      return findGrown();
    },
  };
}

function countResources(): Map<string, number> {
  const open = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (watched.includes(kind)) open.set(kind, (open.get(kind) ?? 0) + 1);
  }
  return open;
}
