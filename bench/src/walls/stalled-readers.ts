import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../data/random.ts';
import { makeText } from '../data/texts.ts';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { rememberRequest, searchRequest } from '../load/requests.ts';
import { commonBars, type Wall } from './wall.ts';

const connections = 5;
const requestsEach = 10_000;
const scopeId = 'long-answers';

/** Five connections with 10,000 pipelined searches each, whose answers of 400 KB are never read. */
export async function stalledReaders(
  url: string,
  load: HttpLoad,
  token: string,
  light: HttpRequest[],
): Promise<Wall> {
  const random = seededRandom(47);
  const texts = Array.from({ length: 50 }, (_, index) => `Deploy ${index}. ${makeText(random, 8_000)}`);
  const requests = texts.map((text) => ({ ...rememberRequest(scopeId, { kind: 'fact', text }), token }));
  await send(load, [url], requests, { connections: 2 });
  return {
    name: 'stalled readers',
    light,
    bars: commonBars,
    attack: async (ms) => {
      const sockets = Array.from({ length: connections }, () => stall(url, token));
      await sleep(ms);
      for (const socket of sockets) socket.destroy();
      return `${connections} connections, ${requestsEach} searches each, nothing read`;
    },
  };
}

function stall(url: string, token: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The gateway may close it.
  socket.on('error', () => undefined);
  socket.pause();
  const { path, body } = searchRequest(scopeId, 'deploy');
  const text = JSON.stringify({ ...(body as object), limit: 50 });
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${text.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`.repeat(requestsEach));
  return socket;
}
