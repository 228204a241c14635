import type { ArtifactRef, SourceRef } from '@continuity/contract';
import { newId, systemClock } from '@continuity/shared/kernel';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { addUpEvidence } from '../../src/context/add-up-evidence.ts';
import { experienceCandidate, memoryCandidate, type Origin } from '../../src/context/candidate.ts';
import { prepareContext } from '../../src/context/prepare.ts';
import { countRecall } from '../../src/context/recall.ts';
import { writeFirst } from '../../src/documents/index.ts';
import { searchExperiences } from '../../src/experience/index.ts';
import { revision } from '../../src/memory/change-entry.ts';
import { addRevision } from '../../src/memory/commit-revision.ts';
import { makeMemory } from '../../src/memory/head.ts';
import { KnownScopes } from '../../src/memory/known-scopes.ts';
import { addEntry } from '../../src/memory/remember.ts';
import type { EntryWrite } from '../../src/memory/revision-rows.ts';
import { readQuery, searchScope, VectorSupportCache } from '../../src/memory/search/index.ts';
import { createSource } from '../../src/sources/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { required } from './candidates.ts';

const { database, tenantId } = await openOwnDatabase('recall', 4);
const known = new KnownScopes();
const searching = {
  database,
  embedder: () => null,
  vectorSupport: new VectorSupportCache(),
  known,
  reranker: null,
};

interface Place {
  scopeId: string;
  scopeKey: number;
}

/** Captures a text, or what records how an Artifact was written. */
const write = (scopeId: string, text: string, eligible = true) =>
  database.transaction(async (sql) => {
    const { scopeKey, sourceId } = await createSource(
      sql,
      { tenantId, scopeId, content: text, eligible },
      null,
    );
    return { scopeKey, ref: { name: 'content', source_id: sourceId } };
  });

/** An entry that matches every query of this file. */
function entryOf(source_refs: SourceRef[], artifact_refs: ArtifactRef[] = []): EntryWrite {
  const write = addEntry({ kind: 'fact', text: `A gazebo, ${newId()}.` }, null);
  return { ...write, after: { ...write.after, source_refs, artifact_refs } };
}

const add = (scopeId: string, writes: EntryWrite[]) =>
  database.transaction(async (sql) => addRevision(sql, await makeMemory(sql, tenantId, scopeId), writes));

async function learn(place: Place, refs: SourceRef[], artifacts: ArtifactRef[] = []): Promise<ArtifactRef> {
  const artifactId = newId();
  const content = { situation: 'A gazebo.', action: 'Look.', outcome: 'Seen.', lesson: 'Look.' };
  const sources = refs.map(({ name, source_id }) => ({ source_type: name, source_id }));
  await writeFirst(
    database.sql.rows,
    { ...place, tenantId, family: 'experience', artifactId },
    {
      sources,
      artifacts,
      content: JSON.stringify(content),
      contentDigest: '00',
      searched: Object.values(content).join('\n'),
    },
  );
  return { family: 'experience', artifact_id: artifactId, revision: 1 };
}

/** Everything that a search of a Scope finds, as items. */
async function itemsOf(scopeId: string): Promise<Origin[]> {
  const scope = { tenantId, scopeId, limit: 1_000 };
  const { hits } = await searchScope(
    searching,
    scope,
    await readQuery(null, { query: 'gazebo', mode: 'fts' }),
  );
  const asked = { ...scope, query: 'gazebo' };
  const experiences = await searchExperiences(database.sql, known.languages, asked);
  return [
    ...hits.map((hit) => required(memoryCandidate('', scopeId, hit)).origin),
    ...experiences.map((hit) => required(experienceCandidate('', scopeId, hit)).origin),
  ];
}

/** The evidence of all that a Scope has. */
const evidenceIn = async (scopeId: string) => (await itemsOf(scopeId)).map(({ evidence }) => evidence);

/** A Scope with Sources of each kind, and items that cite some of them, some twice; answers what it has. */
async function fill(scopeId: string, seed: number): Promise<Origin[]> {
  const evidence = await Promise.all(
    Array.from({ length: 6 }, (_, n) => write(scopeId, 'é'.repeat(1 + n ** 3))),
  );
  const lineage = await write(scopeId, 'Written.', false);
  const unestimated = await write(scopeId, 'Not estimated.');
  await database.pool.query('UPDATE sources SET tokens = NULL WHERE source_id = $1', [
    unestimated.ref.source_id,
  ]);
  const place = { scopeId, scopeKey: lineage.scopeKey };
  const ref = fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(...evidence.map((one) => one.ref)) },
    { weight: 4, arbitrary: fc.constant(lineage.ref) },
    { weight: 1, arbitrary: fc.constantFrom(unestimated.ref, { name: 'content', source_id: 'nowhere' }) },
  );
  const lists = fc.sample(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(ref, { minLength: 1, maxLength: 6 }) },
      fc.constant<SourceRef[]>([]),
    ),
    {
      numRuns: 60,
      seed,
    },
  );
  for (const refs of lists.slice(50)) await learn(place, refs);
  const cited = await learn(place, evidence.map((one) => one.ref).slice(3));
  const [one] = evidence.map(({ ref }) => ref);
  const many = Array.from({ length: 101 }, () => one ?? lineage.ref);
  await add(scopeId, [
    ...lists.slice(0, 50).map((refs) => entryOf(refs)),
    entryOf(many),
    entryOf([], [cited]),
    entryOf([lineage.ref], [await learn(place, [lineage.ref], [cited])]),
  ]);
  return itemsOf(scopeId);
}

let items: Origin[] = [];
let scopeKey = 0;

beforeAll(async () => {
  items = [...(await fill('here', 1)), ...(await fill('there', 2))];
  ({ scopeKey } = await write('here', 'Where it is counted.'));
});

/** The counters after a preparation, which are none before. */
async function countersOf(recalled: Origin[], estimates = true): Promise<unknown> {
  const logger = {
    warn: (line: unknown) => {
      throw line;
    },
  } as never;
  const recall = { tenantId, scopeKey, items: recalled, recalledTokens: 7 };
  await countRecall({ database, logger, clock: systemClock, estimates }, recall);
  const { rows } = await database.pool.query('DELETE FROM recall_days RETURNING *');
  return rows;
}

test('spec 20 P12: what was worked out when it was written counts as what is looked up', async () => {
  const chosen = fc.uniqueArray(fc.nat({ max: items.length - 1 }), { maxLength: 8 });
  const worked = { comparable: 0, known: 0, looked: 0 };
  await fc.assert(
    fc.asyncProperty(chosen, fc.boolean(), async (indexes, estimates) => {
      const recalled = indexes.flatMap((index) => items[index] ?? []);
      const added = addUpEvidence(recalled);
      if (added === undefined) worked.looked += 1;
      else worked[added.isComparable ? 'comparable' : 'known'] += 1;
      const lookedUp = recalled.map((item) => ({ ...item, evidence: null }));
      expect(await countersOf(recalled, estimates)).toEqual(await countersOf(lookedUp, estimates));
    }),
    { numRuns: 300 },
  );
  // Each way was gone.
  expect(Math.min(...Object.values(worked))).toBeGreaterThan(10);
});

test('spec 20 P12: a version keeps the evidence that it was written with', async () => {
  const scopeId = 'kept';
  const first = await write(scopeId, 'x'.repeat(400));
  const lineage = await write(scopeId, 'Written.', false);
  const second = await write(scopeId, 'x'.repeat(40));
  const entry = entryOf([second.ref, first.ref, second.ref, lineage.ref]);
  await add(scopeId, [entry]);
  expect(await evidenceIn(scopeId)).toEqual(['[1,100,3,10]']);
  // Revise keeps what was cited; what a flush adds is a version of its own.
  const before = { ...entry.after, terms: null, length: null };
  const revised = revision(before, { kind: 'fact', text: 'The gazebo, revised.' }, null);
  await add(scopeId, [revised]);
  expect(await evidenceIn(scopeId)).toEqual(['[1,100,3,10]']);
});

test('spec 20 P12: evidence is left to be looked up where it may be another, or is much', async () => {
  const scopeId = 'left';
  const { scopeKey, ref } = await write(scopeId, 'x'.repeat(400));
  const cited = await learn({ scopeId, scopeKey }, [ref]);
  expect(await evidenceIn(scopeId)).toEqual(['[1,100]']);
  const many = Array.from({ length: 101 }, () => ref);
  await add(scopeId, [
    entryOf([ref], [cited]),
    entryOf(many),
    entryOf([{ name: 'content', source_id: 'later' }]),
  ]);
  expect(await evidenceIn(scopeId)).toEqual([null, null, null, '[1,100]']);
});

test('spec 20 P12: a preparation looks up no evidence that is known', async () => {
  const scopeId = 'flushed';
  const { ref } = await write(scopeId, 'x'.repeat(400));
  await add(scopeId, [entryOf([ref])]);
  const sent: string[] = [];
  const rows: typeof database.sql.rows = (one, values) => {
    sent.push(one.text);
    return database.sql.rows(one, values);
  };
  const preparing = {
    database: { ...database, sql: { ...database.sql, rows } },
    searching,
    logger: { warn: (line: unknown) => sent.push(String(line)) } as never,
    clock: systemClock,
    estimates: true,
  };
  const prepare = () => prepareContext(preparing, { tenantId, scopeId, query: 'gazebo', maxBytes: 8_000 });
  await prepare();
  await prepare();
  expect(sent).toHaveLength(2);
  for (const text of sent) expect(text).not.toMatch(/sources|memory_versions/);
  const { rows: counted } = await database.pool.query(
    'DELETE FROM recall_days RETURNING comparable_preparations, baseline_tokens',
  );
  expect(counted).toEqual([{ comparable_preparations: 2, baseline_tokens: 200 }]);
});
