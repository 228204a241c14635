import { Agent, request } from 'node:http';
import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();
await remember(service, 'draining', 'before');

afterAll(() => service.stop());

const callers = 16;

interface Answer {
  status: number | undefined;
  connection: string | undefined;
}

/** Searches on a connection that stays open unless the gateway closes it. Rejects if the connection breaks. */
async function ask(agent: Agent, url: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = JSON.stringify({ scope_id: 'draining', query: 'before' });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  request(`${url}/v1/memory/search`, { agent, method: 'POST', headers }, (response) => {
    response.resume();
    const { statusCode: status, headers: answered } = response;
    response.once('end', () => resolve({ status, connection: answered.connection })).once('error', reject);
  })
    .once('error', reject)
    .end(body);
  return await promise;
}

test('a gateway that stops under load loses no request of callers that leave when it is not ready', async () => {
  const drain = { GATEWAY_DRAIN_MS: '5000' };
  await using leaving = await startGatewayProcess(service, drain);
  await using staying = await startGatewayProcess(service);
  const agent = new Agent({ keepAlive: true });
  const targets = [leaving.url, staying.url];
  const fromLeaving: Answer[] = [];
  const statuses = new Set<number | undefined>();
  let isOver = false;
  const call = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const url = targets[turn % targets.length] ?? staying.url;
      const answer = await ask(agent, url);
      statuses.add(answer.status);
      if (url === leaving.url) fromLeaving.push(answer);
    }
  };
  const load = Promise.all(Array.from({ length: callers }, call));
  await waitUntil(() => fromLeaving.length > 10 * callers);

  const whileServing = fromLeaving.length;
  leaving.kill();
  await waitUntil(async () => (await leaving.client.send('GET', '/health/ready')).status === 503);
  // It takes a balancer a while to notice.
  await waitUntil(() => fromLeaving.length > whileServing + callers);
  targets.shift();
  expect((await leaving.exited).code).toBe(0);
  isOver = true;
  await load;

  expect([...statuses]).toEqual([200]);
  expect(fromLeaving.at(0)?.connection).toBe('keep-alive');
  expect(fromLeaving.at(-1)?.connection).toBe('close');
  agent.destroy();
});
