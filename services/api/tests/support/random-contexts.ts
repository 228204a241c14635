import type { ContextExplanation } from '@continuity/contract/context';
import type { CallInput, Client } from '@continuity/testing';
import { expect } from 'vitest';
import { learn } from './context.ts';
import { type Entry, freshScope, remember, retire } from './memory.ts';
import { scopeCalls } from './scopes.ts';

type Request = NonNullable<CallInput<'explain_context'>['body']>;

const words = [
  ...'postgres kafka redis schema client retry queue worker deploy rollback token invoice ledger payment'.split(
    ' ',
  ),
  ...'Vertrag Rechnung データベース 数据库 C# .NET e-mail retryPolicy a/b.ts 🚀 naïve'.split(' '),
];

/** Changes Scopes at random, and asks for their contexts at random. */
export class RandomContexts {
  readonly #client: Client;
  readonly #random: () => number;
  readonly #scopes: string[] = [];
  readonly #entries: { scope: string; entry: Entry }[] = [];

  constructor(client: Client, seed: number) {
    this.#client = client;
    this.#random = seededRandom(seed);
  }

  /** Six Scopes, of which half refer to others. */
  async begin(): Promise<void> {
    for (let count = 0; count < 6; count += 1) {
      const context_references = count % 2 === 0 ? [] : this.#scopes.slice(0, 3);
      this.#scopes.push(await scopeCalls(this.#client).made({ context_references }));
    }
  }

  /** Remembers, revises or retires an entry, or adds an Experience. */
  async change(): Promise<void> {
    const scope = this.#pick(this.#scopes);
    const what = this.#random();
    const known = this.#entries.filter((one) => one.scope === scope);
    const some = known.length === 0 ? undefined : this.#pick(known);
    if (what < 0.12) await learn(this.#client, scope, this.#text(this.#below(30) + 1));
    else if (what < 0.2 && some !== undefined) {
      await retire(this.#client, scope, some.entry.citation);
      this.#entries.splice(this.#entries.indexOf(some), 1);
    } else {
      // Some texts are equal, some are longer than an item can be.
      const text = this.#below(8) === 0 ? 'The retry queue uses postgres.' : this.#text(this.#below(12) + 1);
      const long = this.#below(15) === 0 ? `${text} ${this.#text(400)}` : text;
      const { entry } = await remember(this.#client, scope, long);
      this.#forget(entry);
      this.#entries.push({ scope, entry });
    }
  }

  request(): Request {
    const scope_id = this.#below(40) === 0 ? freshScope() : this.#pick(this.#scopes);
    const lines = Array.from({ length: 1 + this.#below(3) }, () => this.#text(1 + this.#below(6)));
    const subjects = this.#entries
      .filter(() => this.#below(60) === 0)
      .slice(0, 8)
      .map(({ scope, entry }) => ({
        kind: 'memory' as const,
        scope_id: scope,
        artifact_id: 'memory',
        entry_id: entry.citation.entry_id,
      }));
    return {
      scope_id,
      query: this.#below(12) === 0 ? this.#text(90) : lines.join('.\n'),
      max_bytes: this.#pick([512, 700, 2_000, 8_000, 32_768]),
      ...(this.#below(2) === 0 && { format: 'compact' as const }),
      ...(this.#below(2) === 0 && { max_items: 1 + this.#below(32) }),
      subjects,
    };
  }

  #forget({ citation }: Entry): void {
    const at = this.#entries.findIndex(({ entry }) => entry.citation.entry_id === citation.entry_id);
    if (at !== -1) this.#entries.splice(at, 1);
  }

  #text(count: number): string {
    return Array.from({ length: count }, () => this.#pick(words)).join(' ');
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick.');
    return item;
  }
}

type Item = ContextExplanation['items'][number];

/** Explains a request, and checks that it equals what `prepare_context` answers, and the rules of spec 60 §3.2. */
export async function expectExplained(client: Client, request: Request): Promise<ContextExplanation> {
  const { subjects = [], ...asked } = request;
  const prepared = await client.send('POST', '/v1/context/prepare', asked);
  const { body } = await client.call('explain_context', { body: request });
  expect(JSON.stringify(body.prepared)).toBe(prepared.text);
  expectBytes(body, request.max_bytes ?? 8_000);
  const trials = body.items.flatMap(({ trial }) => trial ?? []);
  expect(trials).toEqual(trials.map((_, index) => index + 1));
  for (const item of body.items) {
    expect((item.citation === null) !== (item.artifact_ref === null)).toBe(true);
    expect(item.outcome === 'family_limit').toBe(item.trial === null);
    expectLexical(body, item.channels);
  }
  expect(body.subjects.map(({ subject }) => subject)).toEqual(subjects);
  for (const result of body.subjects) expectSubject(body, result);
  return body;
}

const isIn = ({ outcome }: Item) => outcome === 'included' || outcome === 'truncated';

/** The sum of spec 60 §3.2.4, and the room of each candidate. */
function expectBytes({ prepared, items, frame_bytes }: ContextExplanation, maxBytes: number): void {
  const included = items.filter(isIn);
  const sum = included.reduce((bytes, { item_bytes }) => bytes + (item_bytes ?? 0), 0);
  const bytes = included.length === 0 ? 0 : frame_bytes + sum + included.length - 1;
  expect([prepared.status, prepared.content_bytes]).toEqual([bytes === 0 ? 'empty' : 'ready', bytes]);
  let used = frame_bytes;
  for (const item of items) {
    const comma = used > frame_bytes ? 1 : 0;
    const isTried = isIn(item) || item.outcome === 'no_room';
    expect(item.room_bytes).toBe(isTried ? Math.max(0, maxBytes - used - comma) : null);
    expect(item.item_bytes !== null).toBe(isIn(item));
    if (item.item_bytes !== null) used += comma + item.item_bytes;
  }
}

/** A subject has channels where it was compared, and its place where it is listed. */
function expectSubject(
  body: ContextExplanation,
  { outcome, subject, item, score, last_score, channels }: ContextExplanation['subjects'][number],
): void {
  const isCompared = ['listed', 'not_admitted', 'outranked'].includes(outcome);
  expect([score !== null, channels !== null]).toEqual([isCompared, isCompared]);
  expect(last_score === null || outcome === 'outranked').toBe(true);
  if (channels !== null) expectLexical(body, channels);
  if (outcome === 'not_admitted') expect(channels?.lexical.admitted).toBe(false);
  const listed = item === null ? undefined : body.items[item];
  const isListedEntry = outcome === 'listed' && subject.kind === 'memory';
  expect(listed?.citation?.entry_id).toBe(isListedEntry ? subject.entry_id : undefined);
}

/** A segment admits what holds two of its terms, or the only one. A rare one alone is rare in the Scope of the text. */
function expectLexical(
  { terms, segments }: ContextExplanation,
  { lexical: { segment, matched, admitted, score } }: Item['channels'],
): void {
  expect(matched.every((place) => place < terms.length)).toBe(true);
  expect(new Set(matched).size).toBe(matched.length);
  expect(segment === null).toBe(matched.length === 0);
  expect(segment ?? 1).toBeLessThanOrEqual(Math.max(1, segments));
  if (matched.length >= 2) expect(admitted).toBe(true);
  if (matched.length === 0) expect([admitted, score]).toEqual([false, 0]);
}

/** Numbers from 0 to below 1, the same for equal seeds: a linear congruential generator with the constants of Numerical Recipes. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
