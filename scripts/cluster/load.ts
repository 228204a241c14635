import { Agent, request } from 'node:http';

const callers = 16;
/** One request of this many captures a Source. The others search. */
const requestsPerCapture = 10;

/** What callers on open connections saw. */
export interface LoadResult {
  requests: number;
  /** Ids of the Sources that the service acknowledged. */
  captured: string[];
  /** Each request without an answer of 2xx. */
  lost: string[];
}

export interface Load {
  requests(): number;
  /** Ends the load after the requests that run. */
  stop(): Promise<LoadResult>;
}

/** Callers that send one request after the other to a Scope, on connections that stay open unless the service closes them. */
export function startLoad(url: string, token: string, scope_id: string): Load {
  const agent = new Agent({ keepAlive: true });
  const result: LoadResult = { requests: 0, captured: [], lost: [] };
  let isOver = false;
  const call = async (): Promise<void> => {
    while (!isOver) {
      const turn = result.requests;
      result.requests += 1;
      const source_id = `${scope_id}-${turn}`;
      const isCapture = turn % requestsPerCapture === 0;
      const [path, body] = isCapture
        ? ['/v1/sources/content', { scope_id, source_id, content: `Source ${turn} of the load.` }]
        : ['/v1/memory/search', { scope_id, query: 'a statement' }];
      const answer = await post(agent, url + path, token, body).catch((error: Error) => error.message);
      if (answer !== '200' && answer !== '202')
        result.lost.push(`${new Date().toISOString()} ${path} ${answer}`);
      else if (isCapture) result.captured.push(source_id);
    }
  };
  const calls = Array.from({ length: callers }, call);
  return {
    requests: () => result.requests,
    stop: async () => {
      isOver = true;
      await Promise.all(calls);
      agent.destroy();
      return result;
    },
  };
}

/** Resolves to the status. Rejects if the connection breaks. */
export async function post(agent: Agent, url: string, token: string, body: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  request(url, { agent, method: 'POST', headers }, (response) => {
    response.resume();
    response.once('end', () => resolve(String(response.statusCode))).once('error', reject);
  })
    .once('error', reject)
    .end(text);
  return await promise;
}
