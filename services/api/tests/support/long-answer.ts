import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** Requests 30 days of statistics of all Scopes over a new connection. Resolves when the response headers have arrived. */
export async function beginLongAnswer({ url }: { url: string }): Promise<IncomingMessage> {
  const asked = request(`${url}/v1/stats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
  });
  asked.end('{"selection":{"mode":"all"},"period":"30d"}');
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}
