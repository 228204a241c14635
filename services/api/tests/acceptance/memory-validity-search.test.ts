import {
  type CallInput,
  embedAll,
  type InferenceStub,
  startInferenceStub,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenVectors, embeddingBy } from '../support/embedding.ts';
import { freshScope } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let stub: InferenceStub;
let service: TestService;

beforeAll(async () => {
  stub = await startInferenceStub();
  stub.embedWith(embedAll);
  service = await startService({ workers: true, environment: embeddingBy(stub) });
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

type Remember = Omit<NonNullable<CallInput<'remember_memory'>['body']>, 'kind'>;
type Search = NonNullable<CallInput<'search_memory'>['body']>;

const day = 86_400_000;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();
const modes = ['auto', 'fts', 'vector', 'hybrid'] as const;

async function told(body: Remember) {
  const answer = await service.call('remember_memory', { body: { kind: 'fact', ...body } });
  if (answer.body.entry === null) throw new Error('The answer to remember has no entry.');
  return answer.body.entry;
}

const search = async (body: Search) => (await service.call('search_memory', { body })).body;
const texts = async (body: Search) => (await search(body)).hits.map(({ text }) => text);

/** Waits until the Scope has this many vectors, those of ended entries included. */
async function untilEmbedded(scope_id: string, count: number): Promise<void> {
  const counted = () =>
    query<{ vectors: number }>(
      service.databaseUrl,
      `SELECT count(*)::int AS vectors FROM memory_embeddings JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1`,
      [scope_id],
    );
  await waitUntil(async () => (await counted())[0]?.vectors === count, {
    what: `${count} vectors in ${scope_id}`,
  });
}

describe('spec 26 scenario 38', () => {
  test.each(modes)('%s leaves out what has ended, and finds it as of a time before its end', async (mode) => {
    const scope_id = freshScope();
    await told({ scope_id, text: 'The car of the team is red', valid_until: fromNow(-day) });
    await told({ scope_id, text: 'The car of the team is blue' });
    await told({ scope_id, text: 'The car of the team is green', valid_from: fromNow(365 * day) });
    await untilEmbedded(scope_id, 3);
    const asked = { scope_id, query: 'car of the team', mode };
    expect((await texts(asked)).sort()).toEqual([
      'The car of the team is blue',
      'The car of the team is green',
    ]);
    const plan = (await search(asked)).hits.find(({ text }) => text.endsWith('green'));
    expect(Date.parse(plan?.valid_from ?? '')).toBeGreaterThan(Date.now());
    expect(await texts({ ...asked, as_of: fromNow(0) })).toEqual(['The car of the team is blue']);
    const before = await search({ ...asked, as_of: fromNow(-2 * day) });
    expect(before.hits.map(({ text }) => text).sort()).toEqual([
      'The car of the team is blue',
      'The car of the team is red',
    ]);
    expect(before.mode).toBe(mode === 'auto' ? 'hybrid' : mode);
    expect(before.hits.filter(({ valid_until }) => valid_until !== undefined)).toHaveLength(1);
  });
});

test('spec 26 S1: an entry whose end passes is left out by the next search, and a revise brings it back', async () => {
  const scope_id = freshScope();
  const end = fromNow(1_500);
  const entry = await told({ scope_id, text: 'The physician bought an automobile', valid_until: end });
  await untilEmbedded(scope_id, 1);
  for (const mode of modes) {
    await waitUntil(
      async () => (await texts({ scope_id, query: 'physician automobile', mode })).length === 0,
    );
    expect(await texts({ scope_id, query: 'physician automobile', mode, as_of: fromNow(-day) })).toHaveLength(
      1,
    );
  }
  const revise = (valid_until: string | null, citation = entry.citation) =>
    service.call('revise_memory_entry', {
      body: { scope_id, citation, kind: 'fact', text: entry.text, valid_until },
    });
  // The index has it apart from then on.
  const ended = await revise(fromNow(-day));
  await untilEmbedded(scope_id, 1);
  for (const mode of modes)
    expect(await texts({ scope_id, query: 'physician automobile', mode })).toEqual([]);
  await revise(null, ended.body.entry?.citation);
  await waitUntil(async () => (await texts({ scope_id, query: 'car', mode: 'vector' })).length === 1);
  for (const mode of modes)
    expect(await texts({ scope_id, query: 'physician automobile', mode })).toHaveLength(1);
  await waitUntil(async () => (await brokenVectors(service)).length === 0);
});

test('spec 26 S1: ended entries use up no candidate, and take no vector from the mode auto', async () => {
  const scope_id = freshScope();
  const entries = Array.from({ length: 60 }, (_, n) => ({
    kind: 'fact',
    text: `The car in garage ${n} is red`,
    ...(n > 0 && { valid_until: fromNow(-day) }),
  }));
  await service.call('create_artifact', {
    params: { scope_id },
    body: { family: 'memory', content: { entries } },
  });
  await untilEmbedded(scope_id, 60);
  for (const mode of modes) {
    const { hits, mode: ran } = await search({ scope_id, query: 'red car', mode, limit: 5 });
    expect(hits.map(({ text }) => text)).toEqual(['The car in garage 0 is red']);
    expect(ran).toBe(mode === 'auto' ? 'hybrid' : mode);
  }
  expect(
    (await search({ scope_id, query: 'red car', limit: 50, as_of: fromNow(-2 * day) })).hits,
  ).toHaveLength(50);
  await waitUntil(async () => (await brokenVectors(service)).length === 0);
});

/** A generator of numbers below a limit, from a seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

type Entry = Awaited<ReturnType<typeof told>>;

/** Whether an entry holds at a time; without one, whether it has not ended. */
function isFound({ state, valid_from, valid_until }: Entry, asOf: number | null): boolean {
  const [from, until] = [Date.parse(valid_from ?? ''), Date.parse(valid_until ?? '')];
  const ended = until <= (asOf ?? Date.now());
  return state === 'active' && !ended && !(asOf !== null && from > asOf);
}

const pastAndFuture = [null, fromNow(-20 * day), fromNow(-10 * day), fromNow(10 * day), fromNow(20 * day)];

const list = async (scope_id: string, more: { include_inactive?: boolean; as_of?: string } = {}) =>
  (await service.call('list_memory_entries', { body: { scope_id, ...more } })).body.entries;

/** Remembers, supersedes, revises or retires an entry at random. Refusals are fine. */
async function changeAtRandom(scope_id: string, next: (below: number) => number): Promise<void> {
  const anyTime = () => pastAndFuture[next(pastAndFuture.length)] ?? null;
  const entries = await list(scope_id, { include_inactive: true });
  const citation = entries[next(entries.length || 1)]?.citation;
  const [valid_from, until] = [anyTime(), anyTime()];
  const validity = {
    valid_from,
    valid_until: valid_from !== null && until !== null && valid_from >= until ? null : until,
  };
  const content = { kind: 'fact', text: `The car number ${next(12)} is red` };
  const change = next(4);
  if (change === 0 || citation === undefined) {
    await service.call('remember_memory', { body: { scope_id, ...content, ...validity } });
  } else if (change === 1) {
    await service.call('remember_memory', {
      body: { scope_id, ...content, supersedes: [citation], valid_from },
    });
  } else if (change === 2) {
    const times = next(2) === 0 ? validity : {};
    await service.call('revise_memory_entry', { body: { scope_id, citation, ...content, ...times } });
  } else {
    await service.call('retire_memory_entry', { body: { scope_id, citation } });
  }
}

test.each([11, 29])(
  'spec 26 S1, V4: an ended entry never appears without as_of, and every citation ever given still answers the same (seed %i)',
  async (seed) => {
    const next = random(seed);
    const scope_id = freshScope();
    const given = new Map<string, Entry>();
    for (let step = 0; step < 50; step += 1) {
      await changeAtRandom(scope_id, next);
      for (const entry of await list(scope_id, { include_inactive: true }))
        given.set(JSON.stringify(entry.citation), entry);
    }
    for (const entry of given.values()) {
      const { body } = await service.call('get_memory_entry', {
        body: { scope_id, citation: entry.citation },
      });
      expect(body).toEqual(entry);
    }
    const entries = await list(scope_id);
    await untilEmbedded(scope_id, entries.length);
    for (const time of [...pastAndFuture, fromNow(-40 * day)]) {
      const asOf = time === null ? null : Date.parse(time);
      const expected = entries
        .filter((entry) => isFound(entry, asOf))
        .map(({ citation }) => citation.entry_id)
        .sort();
      const as_of = time ?? undefined;
      for (const mode of modes) {
        const { hits } = await search({ scope_id, query: 'red car number', mode, limit: 50, as_of });
        expect(hits.map(({ citation }) => citation.entry_id).sort(), `${mode} as of ${time}`).toEqual(
          expected,
        );
      }
      if (as_of !== undefined)
        expect((await list(scope_id, { as_of })).map(({ citation }) => citation.entry_id)).toEqual(expected);
    }
    await waitUntil(async () => (await brokenVectors(service)).length === 0);
  },
);

test('spec 26 P1, P9: prepare leaves out what has ended, and items with validity say it', async () => {
  const scope_id = freshScope();
  const past = await told({ scope_id, text: 'Anna drove a red car', valid_until: fromNow(-day) });
  const plan = await told({
    scope_id,
    text: 'Anna gets a new car',
    valid_from: fromNow(day),
    valid_until: fromNow(2 * day),
  });
  await told({ scope_id, text: 'Anna drives a car' });
  const lineOf = async (body: { format?: 'v1' | 'compact'; as_of?: string; max_bytes?: number }) => {
    const { body: prepared } = await service.call('prepare_context', {
      body: { scope_id, query: 'which car has Anna', ...body },
    });
    return prepared.content?.split('\n')[3] ?? '';
  };
  for (const format of ['v1', 'compact'] as const) {
    const now = await lineOf({ format });
    expect(now).not.toContain('red car');
    expect(now).toContain(`,"valid_from":"${plan.valid_from}","valid_until":"${plan.valid_until}"}`);
    expect(now.match(/valid_from/g)).toHaveLength(1);
    const then = await lineOf({ format, as_of: fromNow(-2 * day) });
    expect(then).toContain(`,"valid_until":"${past.valid_until}"}`);
    expect(then).not.toContain('new car');
  }
  const { body } = await service.call('explain_context', {
    body: { scope_id, query: 'which car has Anna', as_of: fromNow(-2 * day) },
  });
  expect(body.items.map(({ excerpt }) => excerpt).sort()).toEqual([
    'Anna drives a car',
    'Anna drove a red car',
  ]);
});

test('spec 26 scenario 48: max_items bounds the items, which come in the order of search', async () => {
  const scope_id = freshScope();
  const names = [
    'Ada',
    'Bob',
    'Cem',
    'Dov',
    'Eve',
    'Fay',
    'Gus',
    'Hal',
    'Ida',
    'Jon',
    'Kim',
    'Leo',
    'Mia',
    'Ned',
    'Ola',
    'Pia',
    'Qi',
    'Ron',
    'Sue',
    'Tom',
  ];
  const entries = names.map((name) => ({ kind: 'fact', text: `${name} has a car` }));
  await service.call('create_artifact', {
    params: { scope_id },
    body: { family: 'memory', content: { entries } },
  });
  const items = async (more: { format?: 'v1' | 'compact'; max_items?: number }): Promise<string[]> => {
    const { body } = await service.call('prepare_context', {
      body: { scope_id, query: 'who has a car', max_bytes: 32_768, ...more },
    });
    const line = JSON.parse(body.content?.split('\n')[3] ?? '') as {
      items: { text?: string; content?: string }[];
    };
    return line.items.map(({ text, content }) => text ?? content ?? '');
  };
  // Vectors that came between the search and a preparation would change the order.
  await untilEmbedded(scope_id, names.length);
  const ranked = await texts({ scope_id, query: 'who has a car', limit: 50 });
  expect(ranked).toHaveLength(20);
  for (const format of ['v1', 'compact'] as const)
    expect(await items({ format, max_items: 20 })).toEqual(ranked);
  expect(await items({})).toEqual(ranked.slice(0, 8));
  expect(await items({ format: 'compact' })).toEqual(ranked.slice(0, 16));
  const tooMany = await service.call('prepare_context', { body: { scope_id, query: 'car', max_items: 33 } });
  expect(tooMany.status).toBe(422);
});
