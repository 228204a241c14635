import type { Statement } from '@continuity/shared/kernel';
import pg from 'pg';
import { serveTasks } from '../load/child.ts';
import { recordRemember, type ScopeHead } from '../load/remember.ts';
import { entryBytes } from '../load/requests.ts';
import type { Sent } from '../load/transaction.ts';
import type { Filled, FillTask } from './fill-task.ts';
import { seededRandom } from './random.ts';
import { type Entry, makeEntry } from './texts.ts';

/** Entries that one revision remembers, and one parameter holds. */
const perRevision = 1_000;

/** Where the statement of a revision has what differs between the remembers that are made one. */
const place = { revision: 3, changes: 4, terms: 7, deltas: 8, languages: 11 } as const;

async function fill({ databaseUrl, heads, count, seed }: FillTask): Promise<Filled> {
  const random = seededRandom(seed);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // What is filled in is not what is measured, and may be lost with the machine.
    await client.query('SET synchronous_commit = off');
    let before: Promise<unknown> = Promise.resolve();
    for (const head of heads) {
      for (let left = count; left > 0; left -= perRevision) {
        const length = Math.min(left, perRevision);
        const entries = Array.from({ length }, () => makeEntry(random, entryBytes));
        const { statement, values } = await recordRevision(head, entries);
        await before;
        before = client.query({ ...statement, values });
      }
    }
    await before;
    return { entries: heads.length * count };
  } finally {
    await client.end();
  }
}

/** One revision that remembers all entries: the very statement of a remember, with the changes and terms of all of them. */
async function recordRevision(
  head: ScopeHead,
  entries: Entry[],
): Promise<{ statement: Statement; values: unknown[] }> {
  const revision = head.headRevision + 1;
  const changes: unknown[] = [];
  const terms = new Map<number, number>();
  let languages = 0;
  let last: Sent | undefined;
  for (const entry of entries) {
    const sent = await recordApply(head, entry);
    changes.push(...(JSON.parse(String(sent.values[place.changes])) as unknown[]));
    const deltas = sent.values[place.deltas] as number[];
    for (const [index, term] of (sent.values[place.terms] as number[]).entries()) {
      terms.set(term, (terms.get(term) ?? 0) + (deltas[index] ?? 0));
    }
    languages |= Number(sent.values[place.languages]);
    last = sent;
  }
  if (last === undefined) throw new Error('There is nothing to fill in.');
  head.headRevision = revision;
  const values = [...last.values];
  values[place.revision] = revision;
  values[place.changes] = JSON.stringify(changes);
  values[place.terms] = [...terms.keys()];
  values[place.deltas] = [...terms.values()];
  values[place.languages] = languages;
  return { statement: last.statement as Statement, values };
}

async function recordApply(head: ScopeHead, entry: Entry): Promise<Sent> {
  const trips = await recordRemember(head, entry);
  const sent = trips.flat().find(({ statement }) => typeof statement !== 'string' && isApply(statement));
  if (sent === undefined) throw new Error('A remember has not written its revision.');
  return sent;
}

function isApply({ name }: Statement): boolean {
  return name === 'apply_memory_revision';
}

serveTasks(fill);
