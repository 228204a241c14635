import type { Statement } from '@continuity/kernel/database';
import pg from 'pg';
import { serveTasks } from '../load/child-process.ts';
import { recordRemember, type ScopeHead } from '../load/record-remember.ts';
import { entryBytes } from '../load/requests.ts';
import type { SentStatement } from '../load/round-trips.ts';
import type { Filled, FillTask } from './fill-scopes-task.ts';
import { seededRandom } from './random.ts';
import { type Entry, makeEntry } from './texts.ts';

/** Entries of one revision. */
const perRevision = 1_000;

/** Indexes of the parameters that are merged when several remembers become one revision. */
const parameter = { revision: 3, changes: 4, terms: 7, deltas: 8, languages: 11 } as const;

async function fill({ databaseUrl, heads, count, seed }: FillTask): Promise<Filled> {
  const random = seededRandom(seed);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The data can be lost in a crash: a failed benchmark is repeated.
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

/** Merges the remembers of all entries into one revision: the statement of a remember with the changes and terms of all. */
async function recordRevision(
  head: ScopeHead,
  entries: Entry[],
): Promise<{ statement: Statement; values: unknown[] }> {
  const revision = head.headRevision + 1;
  const changes: unknown[] = [];
  const terms = new Map<number, number>();
  let languages = 0;
  let last: SentStatement | undefined;
  for (const entry of entries) {
    const sent = await recordApply(head, entry);
    changes.push(...(JSON.parse(String(sent.values[parameter.changes])) as unknown[]));
    const deltas = parseArray(sent.values[parameter.deltas]);
    for (const [index, term] of parseArray(sent.values[parameter.terms]).entries()) {
      terms.set(term, (terms.get(term) ?? 0) + (deltas[index] ?? 0));
    }
    languages |= Number(sent.values[parameter.languages]);
    last = sent;
  }
  if (last === undefined) throw new Error('A revision needs at least one entry.');
  head.headRevision = revision;
  const values = [...last.values];
  values[parameter.revision] = revision;
  values[parameter.changes] = JSON.stringify(changes);
  values[parameter.terms] = `{${[...terms.keys()].join(',')}}`;
  values[parameter.deltas] = `{${[...terms.values()].join(',')}}`;
  values[parameter.languages] = languages;
  return { statement: last.statement as Statement, values };
}

/** An array of numbers in the notation of PostgreSQL. */
function parseArray(value: unknown): number[] {
  const inner = String(value).slice(1, -1);
  return inner === '' ? [] : inner.split(',').map(Number);
}

async function recordApply(head: ScopeHead, entry: Entry): Promise<SentStatement> {
  const roundTrips = await recordRemember(head, entry);
  const sent = roundTrips.flat().find(({ statement }) => typeof statement !== 'string' && isApply(statement));
  if (sent === undefined) throw new Error('The statement of the revision was not recorded.');
  return sent;
}

function isApply({ name }: Statement): boolean {
  return name === 'apply_memory_revision';
}

serveTasks(fill);
