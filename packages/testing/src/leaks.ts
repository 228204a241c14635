import { waitUntil } from './wait.ts';

const WATCHED = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'Timeout', 'Immediate'];

export type ResourceWatch = {
  /** Names of the kinds of which more are open than at the beginning, after up to `timeoutMs` (default 2 s). */
  leaked(timeoutMs?: number): Promise<string[]>;
};

/** Notes which sockets, servers, child processes and timers are open now, to compare with after a clean shutdown. */
export function openResources(): ResourceWatch {
  const before = counts();
  const grown = () =>
    [...counts()].filter(([kind, open]) => open > (before.get(kind) ?? 0)).map(([kind]) => kind);
  return {
    async leaked(timeoutMs = 2_000) {
      await waitUntil(() => grown().length === 0, { timeoutMs }).catch(() => undefined);
      return grown();
    },
  };
}

function counts(): Map<string, number> {
  const open = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.includes(kind)) open.set(kind, (open.get(kind) ?? 0) + 1);
  }
  return open;
}
