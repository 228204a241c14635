import { seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { type HttpLoad, type HttpRequest, send, startHttpLoad } from '../load/http-load.ts';
import { captureRequest, flushRequest, makeCapture } from '../load/requests.ts';
import { commonBars, type Wall } from './wall.ts';

/** Sources of one flush. */
const perScope = 100;

/** Flushes of captured Sources of 1 KB, in the worker beside the gateway of the all-in-one service. */
export async function flushes(
  url: string,
  load: HttpLoad,
  token: string,
  light: HttpRequest[],
  sources: number,
): Promise<Wall> {
  const random = seededRandom(59);
  const scopeIds = scopeNames('flushed', Math.ceil(sources / perScope));
  const captures = Array.from({ length: sources }, (_, index) => {
    const scopeId = scopeIds[Math.floor(index / perScope)] ?? '';
    return { ...captureRequest(makeCapture(random, [scopeId])), token };
  });
  await send(load, [url], captures, { connections: 8 });
  return {
    name: 'worker beside the gateway',
    light,
    bars: { ...commonBars, p95Ratio: 2 },
    attack: async (ms) => {
      const attacker = startHttpLoad();
      try {
        const requests = scopeIds.map((scopeId) => ({ ...flushRequest(scopeId), token }));
        const startedAt = performance.now();
        const { count } = await send(attacker, [url], requests, {
          connections: 8,
          maxMs: ms,
          allowFailures: true,
        });
        const seconds = (performance.now() - startedAt) / 1_000;
        return `${count * perScope} Sources flushed in ${seconds.toFixed(1)} s`;
      } finally {
        await attacker.close();
      }
    },
  };
}
