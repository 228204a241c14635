import type { Bench } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { createScopes, scopeNames } from '../data/scopes.ts';
import { type HttpLoad, send } from '../load/http-load.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { createReadScopes, type Workload } from './measured-operations.ts';

/** Fills the Scopes that the measured requests of a gateway use. */
export async function createWorkload(
  { isQuick, log }: Bench,
  load: HttpLoad,
  url: string,
  databaseUrl: string,
): Promise<Workload> {
  log('preparing the Scopes');
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
