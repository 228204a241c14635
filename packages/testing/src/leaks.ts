import { waitUntil } from './wait.ts';

const watched = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'Timeout', 'Immediate'];

export type ResourceWatch = {
  /** Kinds of resources of which more are open than at the start, after at most `timeoutMs` (default 10 s). */
  leaked(timeoutMs?: number): Promise<string[]>;
};

/** Counts the open sockets, servers, child processes and timers, to compare them with those after a shutdown. */
export function openResources(): ResourceWatch {
  const before = counts();
  const findGrown = () =>
    [...counts()].filter(([kind, open]) => open > (before.get(kind) ?? 0)).map(([kind]) => kind);
  return {
    async leaked(timeoutMs = 10_000) {
      await waitUntil(() => findGrown().length === 0, { timeoutMs }).catch(() => undefined);
      return findGrown();
    },
  };
}

function counts(): Map<string, number> {
  const open = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (watched.includes(kind)) open.set(kind, (open.get(kind) ?? 0) + 1);
  }
  return open;
}
