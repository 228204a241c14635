import { isDeepStrictEqual } from 'node:util';
import { type MemoryCitation, memoryCitation } from '@continuity/contract';
import type { Client } from '@continuity/testing';
import { z } from 'zod';
import type { Exchange } from '../player.ts';
import { findAll } from './find-all.ts';

const entry = z.looseObject({
  citation: memoryCitation,
  version: z.int(),
  kind: z.string(),
  text: z.string(),
  state: z.string(),
});

type Entry = z.infer<typeof entry>;

/** Limits of a query's length (spec 20 §3) and of the hits of an answer. */
const maxQuery = 8_192;
const maxHits = 50;

/** Finds every entry in the answers of one tenant and Scope, with repetitions. */
export function entriesIn(exchanges: Exchange[], tenant: number, scopeId: string): Entry[] {
  const own = exchanges.filter(
    ({ request, sent }) => request.place.tenant === tenant && scopeOf(sent) === scopeId,
  );
  return own.flatMap(({ answer }) => findAll(entry, answer.body));
}

function scopeOf(sent: unknown): unknown {
  return (sent as { scope_id?: unknown } | undefined)?.scope_id;
}

/** Spec 20 M6: a cited entry version is immutable. */
export async function checkCitations(client: Client, scope_id: string, entries: Entry[]): Promise<void> {
  const first = new Map<string, Entry>();
  for (const one of entries) {
    const key = JSON.stringify(one.citation);
    const before = first.get(key);
    if (before !== undefined) requireEqual(one, before, `the citation ${key} was answered in two ways`);
    else first.set(key, one);
  }
  for (const one of first.values()) {
    const reply = await client.call('get_memory_entry', { body: { scope_id, citation: one.citation } });
    requireEqual(reply.body, one, 'a citation does not read as it was answered');
  }
}

/** Spec 20 L2 to L7: the list of a revision equals the sum of the changes up to it, for any page size. */
export async function checkHistory(client: Client, scope_id: string): Promise<void> {
  const list = await allPages((cursor) =>
    client.call('list_memory_entries', { body: { scope_id, include_inactive: true, limit: 2, cursor } }),
  );
  const listed = list.flatMap(({ entries }) => entries);
  const head = list[0]?.memory?.revision ?? 0;
  const history = await allPages((cursor) =>
    client.call('list_memory_changes', { body: { scope_id, since_revision: 0, limit: 3, cursor } }),
  );
  const revisions = history.flatMap((page) => page.revisions);
  requireEqual(
    revisions.map(({ memory_ref }) => memory_ref.revision),
    revisions.map((_revision, index) => index + 1),
    'revisions do not count 1, 2, 3 …',
  );
  const until = revisions.filter(({ memory_ref }) => memory_ref.revision <= head);
  requireEqual(
    listed.map(stateOf),
    fold(until),
    `the list of revision ${head} is not the sum of its changes`,
  );
  const active = await client.call('list_memory_entries', { body: { scope_id } });
  if (active.body.memory?.revision !== head) return;
  const expected = listed.filter(({ state }) => state === 'active');
  requireEqual(active.body.entries, expected, 'the list without inactive entries is another one');
}

/** Reads all pages of a list. */
async function allPages<Body extends { next_cursor: string | null }>(
  read: (cursor: string | null) => Promise<{ body: Body }>,
): Promise<Body[]> {
  const bodies: Body[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: Body } = await read(cursor);
    bodies.push(body);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return bodies;
}

interface State {
  entry_id: string;
  entry_version_id: string;
  state: string;
}

function stateOf({ citation, state }: Entry): State {
  return { entry_id: citation.entry_id, entry_version_id: citation.entry_version_id, state };
}

interface Change {
  op: string;
  entry_id: string;
  from_entry_version_id: string | null;
  to_entry_version_id: string | null;
}

/** Applies changes in order. Returns the entries ascending by id. */
function fold(revisions: { changes: Change[] }[]): State[] {
  const entries = new Map<string, State>();
  for (const change of revisions.flatMap(({ changes }) => changes)) {
    const before = entries.get(change.entry_id);
    entries.set(change.entry_id, after(change, before));
  }
  return [...entries.values()].sort((left, right) => (left.entry_id < right.entry_id ? -1 : 1));
}

function after(change: Change, before: State | undefined): State {
  const { op, entry_id, from_entry_version_id: from, to_entry_version_id: to } = change;
  const isPossible =
    (op === 'add' && before === undefined && from === null && to !== null) ||
    (op === 'revise' && before?.state === 'active' && before.entry_version_id === from && to !== null) ||
    (op === 'deactivate' && before?.state === 'active' && before.entry_version_id === from && to === null) ||
    (op === 'reactivate' && before?.state === 'inactive' && from === null && to !== null);
  if (!isPossible) throw new Error(`${JSON.stringify(change)} cannot follow ${JSON.stringify(before)}.`);
  const state = op === 'deactivate' ? 'inactive' : 'active';
  return { entry_id, entry_version_id: to ?? before?.entry_version_id ?? '', state };
}

/** Spec 20 M17, S7: a search for the text of an active entry with at least one term finds the entry. */
export async function checkSearch(client: Client, scope_id: string, withTerms: Set<string>): Promise<void> {
  const { entries, memory } = (await client.call('list_memory_entries', { body: { scope_id } })).body;
  if (entries.length > maxHits / 2) return;
  for (const { text, citation } of entries) {
    if ([...text].length > maxQuery || !withTerms.has(citation.entry_id)) continue;
    const found = (await client.call('search_memory', { body: { scope_id, query: text, limit: maxHits } }))
      .body;
    if (found.memory?.revision !== memory?.revision) return;
    requireHit(found.hits, citation, text);
  }
}

function requireHit(hits: { citation: MemoryCitation }[], citation: MemoryCitation, text: string): void {
  if (hits.some((hit) => isDeepStrictEqual(hit.citation, citation))) return;
  throw new Error(
    `An entry is not found by its own text ${JSON.stringify(text)}; hits: ${JSON.stringify(hits)}`,
  );
}

function requireEqual(actual: unknown, expected: unknown, otherwise: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${otherwise}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
