import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** Asks for a month of statistics of all Scopes, over a connection of its own: an answer of which nothing has been read but its head. */
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
