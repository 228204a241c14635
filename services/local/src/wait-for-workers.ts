import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '@continuity/contract';

/** Limit of the wait, in milliseconds. */
const limitMs = 30_000;

/** Pause between two looks, in milliseconds. */
const pauseMs = 100;

/**
 * Waits until the gateway at `url` sees a live worker for each queue, so that the first request after the start is not 503. Returns the
 * checks that still fail after 30 s: the service runs without them.
 */
export async function waitForWorkers(url: string, timeoutMs = limitMs): Promise<string[]> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const missing = await missingWorkers(url);
    if (missing.length === 0 || performance.now() >= until) return missing;
    await sleep(pauseMs);
  }
}

/** The checks of workers that are not ready. */
async function missingWorkers(url: string): Promise<string[]> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) });
    const body: unknown = await answer.json();
    const checks = isObject(body) && isObject(body['checks']) ? Object.entries(body['checks']) : [];
    const workers = checks.filter(([name]) => name.startsWith('worker.'));
    if (workers.length === 0) return ['gateway'];
    return workers.filter(([, state]) => state !== 'ready').map(([name]) => name);
  } catch {
    return ['gateway'];
  }
}
