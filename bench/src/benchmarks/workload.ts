import type { Bench } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { createScopes, scopeNames } from '../data/scopes.ts';
import { type HttpLoad, send } from '../load/http-load.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { createReadScopes, type Workload } from './measured-operations.ts';

/** Fills the Scopes that the requests to two compared gateways use. A third gateway does it, so that neither of the two is warmer. */
export async function createWorkload(bench: Bench, load: HttpLoad, databaseUrl: string): Promise<Workload> {
  bench.log('preparing the Scopes');
  const service = await bench.servers.startSeparate({ databaseUrl });
  try {
    return await fillWorkload(bench, load, service.urls[0] ?? '', databaseUrl);
  } finally {
    await service.stop();
  }
}

async function fillWorkload(
  { isQuick }: Bench,
  load: HttpLoad,
  url: string,
  databaseUrl: string,
): Promise<Workload> {
  const random = seededRandom(53);
  const scopeIds = scopeNames('service', isQuick ? 20 : 200);
  await createScopes(load, url, databaseUrl, scopeIds, random);
  const firsts = scopeIds.map((scopeId) => captureRequest(makeCapture(random, [scopeId])));
  await send(load, [url], firsts, { connections: 16 });
  const readScopes = await createReadScopes(load, url, random, {
    scopes: isQuick ? 4 : 50,
    entries: isQuick ? 5 : 100,
  });
  return { random, scopeIds, directHeads: [], readScopes };
}
