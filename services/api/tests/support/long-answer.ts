import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { query } from './sql.ts';

/** Body of a request for 30 days of statistics of all Scopes. After `plantManyScopes`, its answer has more than 5 MB. */
export const longStats = '{"selection":{"mode":"all"},"period":"30d"}';

/** Creates 1,000 Scopes in each tenant. */
export async function plantManyScopes(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO scopes (tenant_id, scope_id, title, summary)
     SELECT tenant_id, 'scope-' || n, '', '' FROM tenants, generate_series(1, 1000) AS n`,
    [],
  );
}

/** Requests `count` long answers over one connection, and reads none of them. */
export function stallLongAnswers({ url }: { url: string }, count: number): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  const head = [
    'POST /v1/stats HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${longStats.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${longStats}`.repeat(count));
  return socket;
}

/** Requests 30 days of statistics of all Scopes over a new connection. Resolves when the response headers have arrived. */
export async function beginLongAnswer(
  { url }: { url: string },
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const asked = request(`${url}/v1/stats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  });
  asked.end(longStats);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}
