import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { adminToken, apiServer } from './node-settings.ts';

/** Kinds of resources, by the paths of their groups. */
const groups = {
  deployments: 'apis/apps/v1',
  horizontalpodautoscalers: 'apis/autoscaling/v2',
  namespaces: 'api/v1',
  networkpolicies: 'apis/networking.k8s.io/v1',
  pods: 'api/v1',
  scaledobjects: 'apis/keda.sh/v1alpha1',
  services: 'api/v1',
} as const;

// The API server signs its certificate itself, and no one else is in the network.
// The API server ends idle connections after 90 s.
const agent = new Agent({ keepAlive: true, timeout: 30_000, rejectUnauthorized: false });

/**
 * Lists the resources of a kind, in a namespace or in all. It asks the API server on an open connection: to start kubectl takes a tenth of
 * a second of processor time, and tests poll.
 */
export async function listResources<T>(
  kind: keyof typeof groups,
  { namespace, selector = '' }: { namespace?: string; selector?: string } = {},
): Promise<T[]> {
  const place = namespace === undefined ? kind : `namespaces/${namespace}/${kind}`;
  const query = `labelSelector=${encodeURIComponent(selector)}`;
  return (JSON.parse(await readApi(`/${groups[kind]}/${place}?${query}`)) as { items: T[] }).items;
}

/** Resolves to the answer of the API server. Rejects if it is not 200. */
export function readApi(path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = { authorization: `Bearer ${adminToken}` };
  const asked = request(`${apiServer}${path}`, { agent, headers, timeout: 30_000 }, (response) => {
    text(response).then((body) => {
      if (response.statusCode === 200) resolve(body);
      else reject(new Error(`${path}: ${response.statusCode} ${body.slice(0, 500)}`));
    }, reject);
  });
  asked.once('timeout', () => asked.destroy(new Error(`${path}: no answer within 30 s`)));
  asked.once('error', reject).end();
  return promise;
}
