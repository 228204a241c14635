import { useEffect, useState } from 'preact/hooks';
import type { DifferenceLine } from './difference.ts';
import type { Passages } from './passages.ts';
import type { TextResult, TextTask } from './text-worker.ts';

/** The worker stops itself after a second. This ends one that does not. */
const limitMs = 2_500;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): URL };
}

/** Makes same-origin worker URLs and refuses all else (spec 60 §5.1). */
function trustedWorkerUrl(url: URL): URL {
  if (url.origin !== location.origin) throw new TypeError('A worker of another origin is refused.');
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('console', {
    createScriptURL: (text) => {
      if (new URL(text, location.href).origin !== location.origin)
        throw new TypeError('A worker of another origin is refused.');
      return text;
    },
  });
  return policy === undefined ? url : policy.createScriptURL(url.href);
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;
let worker: Worker | undefined;
let count = 0;
const waiting = new Map<number, (result: TextResult['result']) => void>();

function startWorker(): Worker {
  const started = new Worker(trustedWorkerUrl(new URL('./text-worker.ts', import.meta.url)), {
    type: 'module',
  });
  started.addEventListener('message', ({ data }: MessageEvent<TextResult>) => {
    waiting.get(data.number)?.(data.result);
    waiting.delete(data.number);
  });
  return started;
}

/** Runs a task in the worker. Null if it takes too long or fails. */
function runTask(task: Omit<TextTask, 'number'>): Promise<TextResult['result']> {
  count += 1;
  const number = count;
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      worker?.terminate();
      worker = undefined;
      for (const finish of [...waiting.values()]) finish(null);
      waiting.clear();
    }, limitMs);
    waiting.set(number, (result) => {
      clearTimeout(limit);
      resolve(result);
    });
    try {
      worker ??= startWorker();
      worker.postMessage({ ...task, number });
    } catch {
      waiting.delete(number);
      clearTimeout(limit);
      resolve(null);
    }
  });
}

type Comparison<T> = { state: 'running' } | { state: 'done'; result: T } | { state: 'stopped' };

function useTask<T>(
  kind: TextTask['kind'],
  before: string | undefined,
  after: string | undefined,
): Comparison<T> {
  const [done, setDone] = useState<{ before: string; after: string; result: T | null } | null>(null);
  useEffect(() => {
    if (before === undefined || after === undefined) return undefined;
    let isCurrent = true;
    void runTask({ kind, before, after }).then((result) => {
      if (isCurrent) setDone({ before, after, result: result as T | null });
    });
    return () => {
      isCurrent = false;
    };
  }, [kind, before, after]);
  if (done === null || done.before !== before || done.after !== after) return { state: 'running' };
  return done.result === null ? { state: 'stopped' } : { state: 'done', result: done.result };
}

/** The difference of two texts. `stopped`: it took over a second. */
export const useDifference = (
  before: string | undefined,
  after: string | undefined,
): Comparison<DifferenceLine[]> => useTask('difference', before, after);

/** Passages that stand in both texts; none while they are looked for. */
export function usePassages(first: string | undefined, second: string | undefined): Passages {
  const found = useTask<Passages>('passages', first, second);
  return found.state === 'done' ? found.result : { first: [], second: [] };
}
