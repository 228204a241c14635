import { sqlOver } from '@continuity/kernel/database';
import { runInSlices } from '@continuity/kernel/fairness';
import { addEntry, addRevision, scopeMemoryId } from '@continuity/shared/memory';
import { type AnalyzedText, analyzeAtOnce, hashSteps, type Projection } from '@continuity/shared/search';
import pg from 'pg';
import { serveTasks } from '../load/child-process.ts';
import type { ScopeHead } from '../load/record-remember.ts';
import { entryBytes } from '../load/requests.ts';
import type { Filled, FillTask } from './fill-scopes-task.ts';
import { type Random, seededRandom } from './random.ts';
import { type Entry, makeEntry } from './texts.ts';

/** Entries of one revision. */
const perRevision = 1_000;

/** Texts that all Scopes share, if each Scope needs fewer. Their analysis takes most of the time of a fill. */
const sharedTexts = 20_000;

interface AnalyzedEntry extends Entry {
  analyzed: AnalyzedText;
}

async function fill({ databaseUrl, heads, count, seed }: FillTask): Promise<Filled> {
  const next = entriesFor(count, heads.length, seededRandom(seed));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The data can be lost in a crash: a failed benchmark is repeated.
    await client.query('SET synchronous_commit = off');
    let before: Promise<unknown> = Promise.resolve();
    for (const head of heads) {
      for (let left = count; left > 0; left -= perRevision) {
        const entries = next(Math.min(left, perRevision));
        const known = await projectAll(head, entries);
        await before;
        const writes = entries.map((entry) => addEntry(entry, null));
        before = addRevision(
          sqlOver(client),
          { ...head, artifactId: scopeMemoryId },
          writes,
          { sources: [], artifacts: [] },
          known,
        );
        head.headRevision += 1;
      }
    }
    await before;
    return { entries: heads.length * count };
  } finally {
    await client.end();
  }
}

/** Returns the next entries. No Scope of `count` entries gets one twice. */
function entriesFor(count: number, scopes: number, random: Random): (length: number) => AnalyzedEntry[] {
  const make = (length: number) =>
    Array.from({ length }, () => {
      const entry = makeEntry(random, entryBytes);
      return { ...entry, analyzed: analyzeAtOnce(entry.text) };
    });
  if (count * scopes <= sharedTexts || count > sharedTexts) return make;
  const shared = make(sharedTexts);
  let position = 0;
  return (length) => {
    const [start, end] = [position, position + length];
    position = end % sharedTexts;
    return [...shared.slice(start, end), ...shared.slice(0, Math.max(0, end - sharedTexts))];
  };
}

async function projectAll(
  corpus: ScopeHead,
  entries: readonly AnalyzedEntry[],
): Promise<ReadonlyMap<string, Projection>> {
  const projections = new Map<string, Projection>();
  for (const { text, analyzed } of entries)
    projections.set(text, await runInSlices(hashSteps(corpus, analyzed)));
  return projections;
}

serveTasks(fill);
