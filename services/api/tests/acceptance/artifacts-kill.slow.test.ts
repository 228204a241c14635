import { clientFor, createDatabase, queueEnvironment, runProcess } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRows } from '../fuzz/model/rows.ts';
import { artifactCalls } from '../support/artifacts.ts';
import { documentCalls, experience, skill } from '../support/documents.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  environment = {
    PORT: '0',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    ...queueEnvironment(),
  };
});

afterAll(() => database.drop());

/** A gateway in a process of its own, ready. */
async function startProcess() {
  const gateway = runProcess(['dist/api.mjs'], environment);
  const line = await gateway.waitForLine('the gateway listens');
  const url = String(JSON.parse(line).url);
  await gateway.waitForHttp(`${url}/health/ready`);
  return { gateway, url };
}

const scope = 'killed';
const total = 200;
const families = ['memory', 'experience', 'skill'] as const;

/** A word that no other number has. */
const wordOf = (number: number) =>
  `q${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}q`;

/** Creates the numbered Artifact, of the Families in turn. */
function create(client: ReturnType<typeof clientFor>, number: number) {
  const text = `numbered ${wordOf(number)}`;
  switch (families[number % families.length]) {
    case 'experience':
      return documentCalls(client).createExperience(scope, experience({ lesson: text }));
    case 'skill':
      return documentCalls(client).createSkill(scope, skill({ instructions: text }));
    default:
      return artifactCalls(client).create(scope, artifactCalls(client).facts(text));
  }
}

/** Sends numbered Creates until the gateway is killed, and returns the first number that was not sent. */
async function createUntilKilled(
  url: string,
  from: number,
  kill: (answered: number) => boolean,
): Promise<number> {
  const client = clientFor(url);
  let next = from;
  let answered = 0;
  let gone = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!gone && next < total) {
      const number = next;
      next += 1;
      try {
        await create(client, number);
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

/** Every head of the Scope, with the Source that recorded its Create. */
async function listHeads(client: ReturnType<typeof clientFor>) {
  const heads: { family: (typeof families)[number]; source: string }[] = [];
  for (const family of families) {
    let cursor: string | null = null;
    do {
      const page = await client.call('list_artifacts', {
        params: { scope_id: scope, family },
        query: { limit: '100', ...(cursor === null ? {} : { cursor }) },
      });
      heads.push(...page.body.items.map(({ sources }) => ({ family, source: sources[0]?.source_id ?? '' })));
      cursor = page.body.next_cursor as string | null;
    } while (cursor !== null);
  }
  return heads;
}

test('spec 10 scenario 21: a killed gateway leaves all rows of a Create, or none', async () => {
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
  const heads = await listHeads(client);
  expect(heads.length).toBeGreaterThan(total / 2);
  const positions = await Promise.all(
    heads.map(async ({ family, source }) => {
      const { body } = await client.call('get_source', {
        params: { scope_id: scope, source_type: 'content', source_id: source },
      });
      if (family !== 'memory') return body.position;
      const { entries } = body.content as { entries: { text: string }[] };
      const text = entries[0]?.text ?? '';
      expect(await artifact.found(scope, text.split(' ').at(-1) ?? '')).toEqual([text]);
      return body.position;
    }),
  );
  expect(positions.sort((left, right) => left - right)).toEqual(heads.map((_, index) => index + 1));
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await checkRows(pool, [scope]).finally(() => pool.end());
  expect(await artifact.nextPosition(scope)).toBe(heads.length + 1);
});
