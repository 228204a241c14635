import { operations } from '@continuity/contract/operations';
import { temporaryDirectory, testBackend, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { essence } from '../support/essence.ts';
import { type Root, writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { freshScope, race, remember } from '../support/memory.ts';
import { inventNames, type Names, plant, viewOf } from '../support/planted.ts';
import { jobProbes } from '../support/probes/jobs.ts';
import { probes, type Walled } from '../support/probes.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { exactly, statsOf } from '../support/stats.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

/** A folder with one External Skill. */
async function rootOf(tenant: string): Promise<Root> {
  const path = await temporaryDirectory('skills');
  await writeSkill(path, `wall-${tenant}`);
  return { path, tenant };
}

const queued = new Set<string>(operations.filter(({ run }) => run === 'job').map(({ id }) => id));

/** All operations where the queues are in Redis; where they are in PostgreSQL, those that run or read a job. */
const probed = (Object.keys(probes) as Walled[]).filter(
  (id) => testBackend() === 'redis' || queued.has(id) || id in jobProbes,
);

/** The tenant that sends the probes of an operation, which may create what it names. */
const outsiderOf = (id: Walled) => `outsider-${id}`;
const outsiders = probed.map(outsiderOf);

const service = await startService({
  workers: true,
  environment: {
    AUTH_TOKENS_FILE: await writeTokens('a', 'b', 'alone', ...outsiders),
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({ host: await Promise.all(['a', ...outsiders].map(rootOf)) }),
    MEMORY_AUTO_FLUSH: 'off',
  },
});
const a = clientOf(service.url, 'a');
const b = clientOf(service.url, 'b');
const alone = clientOf(service.url, 'alone');

afterAll(() => service.stop());

let known: Names;
let before: Awaited<ReturnType<typeof viewOf>>;

beforeAll(async () => {
  known = await plant(a);
  await waitUntil(async () => (await a.send('GET', `/v1/jobs/${known.job_id}`)).text.includes('succeeded'));
  before = await viewOf(a, known);
});

test.each(probed)(
  'spec 10 scenario 29, spec 20 scenario 28, spec 30 scenario 35, spec 60 scenario 25: %s answers to names of another tenant as to unknown ones',
  async (id) => {
    const outsider = clientOf(service.url, outsiderOf(id));
    const unknown = inventNames(known);
    const used = probes[id](known);
    const invented = probes[id](unknown);
    for (const [index, { method, path, body, headers }] of used.entries()) {
      const reply = await outsider.send(method, path, body, headers);
      const other = invented[index];
      const expected = await outsider.send(method, other?.path ?? '', other?.body, other?.headers);
      expect(essence(reply, known)).toEqual(essence(expected, unknown));
    }
    expect(await viewOf(a, known)).toEqual(before);
  },
);

test('spec 20 scenario 28: each operation that needs a token has its probes', () => {
  const walled = operations.filter((operation) => operation.auth === 'bearer').map(({ id }) => id);
  expect(Object.keys(probes).sort()).toEqual(walled.sort());
});

test('spec 20 scenario 28: equal Scope ids of two tenants share no entry, counter, position or rank', async () => {
  const scope_id = freshScope();
  await race(40, (index) => remember(a, scope_id, `harbour report ${'harbour '.repeat(index % 7)}${index}`));
  await race(5, (index) => capture(a, scope_id, `source ${index}`));
  const write = async (client: typeof b) => {
    const { memory } = await remember(client, scope_id, 'harbour report of the pilot');
    await remember(client, scope_id, 'tide table');
    const position = await capture(client, scope_id, 'source 0', 'other content');
    const found = await client.call('search_memory', { body: { scope_id, query: 'harbour pilot' } });
    const hits = found.body.hits.map(({ text, score }) => ({ text, score }));
    const { as_of: _now, ...stats } = await statsOf(client, exactly(scope_id));
    return { memory, position, head: found.body.memory, hits, stats };
  };
  const ofB = await write(b);
  expect(ofB).toMatchObject({ memory: { revision: 1 }, position: 1, head: { revision: 2 } });
  expect(ofB.hits).toHaveLength(1);
  expect(await write(alone)).toEqual(ofB);
});
