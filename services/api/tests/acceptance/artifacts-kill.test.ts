import { clientFor, createDatabase, redisFor, runProcess, testBackend } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { artifactCalls } from '../support/artifacts.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  const redis = testBackend() === 'redis' ? redisFor() : undefined;
  environment = {
    PORT: '0',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    ...(redis && { REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix }),
  };
});

afterAll(() => database.drop());

/** A gateway in a process of its own, ready. */
async function startProcess() {
  const gateway = runProcess(['services/api/src/main.ts'], environment);
  const line = await gateway.waitForLine('the gateway listens');
  const url = String(JSON.parse(line).url);
  await gateway.waitForHttp(`${url}/health/ready`);
  return { gateway, url };
}

const scope = 'killed';
const total = 200;

/** A word that no other number has. */
const wordOf = (number: number) =>
  `q${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}q`;

/** Starts numbered Creates until the gateway is gone, and answers the first number that was not sent. */
async function createUntilKilled(
  url: string,
  from: number,
  kill: (answered: number) => boolean,
): Promise<number> {
  const artifact = artifactCalls(clientFor(url));
  let next = from;
  let answered = 0;
  let gone = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!gone && next < total) {
      const number = next;
      next += 1;
      try {
        await artifact.create(scope, artifact.facts(`numbered ${wordOf(number)}`));
        answered += 1;
        if (kill(answered)) gone = true;
      } catch {
        gone = true;
      }
    }
  });
  await Promise.all(clients);
  return next;
}

test('spec 10 scenario 21: of each Create of a killed gateway all is there, or nothing', async () => {
  let sent = 0;
  for (let life = 1; sent < total; life += 1) {
    const { gateway, url } = await startProcess();
    await using _ = gateway;
    sent = await createUntilKilled(url, sent, (answered) => {
      const isTime = answered === life * 25;
      if (isTime) gateway.kill('SIGKILL');
      return isTime;
    });
  }
  const { gateway, url } = await startProcess();
  await using _ = gateway;
  const client = clientFor(url);
  const artifact = artifactCalls(client);
  const heads: { id: string; source: string }[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.call('list_artifacts', {
      params: { scope_id: scope, family: 'memory' },
      query: { limit: '100', ...(cursor === null ? {} : { cursor }) },
    });
    heads.push(
      ...page.body.items.map(({ artifact_id, sources }) => ({
        id: artifact_id,
        source: sources[0]?.source_id ?? '',
      })),
    );
    cursor = page.body.next_cursor as string | null;
  } while (cursor !== null);
  expect(heads.length).toBeGreaterThan(total / 2);
  const positions = await Promise.all(
    heads.map(async ({ source }) => {
      const { body } = await client.call('get_source', {
        params: { scope_id: scope, source_type: 'content', source_id: source },
      });
      const { entries } = body.content as { entries: { text: string }[] };
      const text = entries[0]?.text ?? '';
      expect(await artifact.found(scope, text.split(' ').at(-1) ?? '')).toEqual([text]);
      return body.position;
    }),
  );
  expect(positions.sort((left, right) => left - right)).toEqual(heads.map((_, index) => index + 1));
  expect(await artifact.nextPosition(scope)).toBe(heads.length + 1);
}, 120_000);
