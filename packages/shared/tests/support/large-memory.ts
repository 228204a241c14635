import { runAtOnce } from '@continuity/kernel/fairness';
import { newId } from '@continuity/kernel/text';
import type pg from 'pg';
import { equalityHash } from '../../src/memory/equality.ts';
import {
  batchSize as batchLength,
  type CorpusId,
  firstBatchTerm,
  hashTerm,
  type Projection,
  projectSteps,
} from '../../src/search/index.ts';
import { withPendingTerms } from './pending-terms.ts';

/** Rows of one statement: what a JSON parameter of PostgreSQL takes. */
const batchSize = 2_000;

/**
 * Fills the empty Memory of a Scope by SQL, as its writers would have: `count` revisions that add an entry each, and one
 * more for every fifth entry, which retires it. By default, three entries hold the word `needle`.
 */
export async function fillMemory(
  sql: pg.Pool,
  corpus: CorpusId,
  count: number,
  textAt: (revision: number) => string = (revision) => aboutTickets(revision, count),
): Promise<void> {
  const { tenantId, scopeId } = corpus;
  const { rows } = await sql.query<{ scope_key: number; artifact_key: number }>(
    `SELECT a.scope_key, a.artifact_key FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
     WHERE c.tenant_id = $1 AND c.scope_id = $2`,
    [tenantId, scopeId],
  );
  const [memory] = rows;
  if (memory === undefined) throw new Error('There is no Memory to fill.');
  const keys = [tenantId, memory.artifact_key, memory.scope_key];
  await withPendingTerms(sql, async () => {
    for (let first = 2; first <= count; first += batchSize) {
      const size = Math.min(batchSize, count - first + 1);
      const entries = Array.from({ length: size }, (_, index) =>
        entryAt(corpus, first + index, textAt(first + index)),
      );
      await sql.query(addEntries, [...keys, JSON.stringify(entries)]);
    }
  });
  const retired = await sql.query(retireEveryFifth, [...keys, count]);
  await sql.query(countUp, [...keys, count + (retired.rowCount ?? 0)]);
}

/** Some texts that recur. */
function aboutTickets(revision: number, count: number): string {
  const needle = revision % Math.floor(count / 3) === 1 ? 'needle' : 'straw';
  return `The ticket about the ${needle} was closed by team ${revision % 50} after review.`;
}

/** An entry of a text, which is analyzed once if it recurs, and of one word that no other entry holds. */
function entryAt(corpus: CorpusId, revision: number, text: string) {
  const common = projectionOf(corpus, text);
  const pairs = common.terms.map((term, index) => [term, common.frequencies[index] ?? 1] as const);
  pairs.push([hashTerm(corpus, `only in ${revision}`), 1]);
  pairs.sort(([left], [right]) => left - right);
  // As writers do: last, because a search takes the others for ascending.
  pairs.push([firstBatchTerm(corpus) + Math.floor((revision - 1) / batchLength), 1]);
  return {
    entry_id: newId(),
    entry_version_id: newId(),
    revision,
    text,
    equality_hash: equalityHash({ kind: 'fact', text: `${text} ${revision}` }),
    terms: pairs.map(([term]) => term),
    frequencies: pairs.map(([, frequency]) => frequency),
    length: common.length + 1,
  };
}

/** Files of one test worker share this: each has a tenant of its own, whose id is in the terms. */
const projections = new Map<string, Projection>();

function projectionOf(corpus: CorpusId, text: string): Projection {
  const key = `${corpus.tenantId} ${corpus.scopeId} ${text}`;
  const known = projections.get(key) ?? runAtOnce(projectSteps(corpus, text));
  projections.set(key, known);
  return known;
}

const addEntries = `
  WITH entry AS (
    SELECT * FROM jsonb_to_recordset($4::jsonb) AS e(entry_id uuid, entry_version_id uuid, revision int, text text,
      equality_hash bigint, terms bigint[], frequencies smallint[], length smallint)
  ), revision AS (
    INSERT INTO artifact_revisions (tenant_id, artifact_key, revision) SELECT $1, $2, revision FROM entry
  ), version AS (
    INSERT INTO memory_versions
      (tenant_id, artifact_key, entry_id, version, entry_version_id, kind, text, content_hash, place)
    SELECT $1, $2, entry_id, 1, entry_version_id, 'fact', text, sha256(convert_to(text, 'UTF8')), revision FROM entry
  ), change AS (
    INSERT INTO memory_changes (tenant_id, artifact_key, revision, entry_id, op, to_version)
    SELECT $1, $2, revision, entry_id, 'add', 1 FROM entry
  )
  INSERT INTO memory_states (tenant_id, artifact_key, entry_id, valid_from, version, active, scope_key, equality_hash,
    terms, term_frequencies, length)
  SELECT $1, $2, entry_id, revision, 1, true, $3, equality_hash, terms, frequencies, length FROM entry`;

const retireEveryFifth = `
  WITH retired AS (
    UPDATE memory_states
    SET valid_to = $4::int + valid_from / 5, terms = NULL, term_frequencies = NULL, length = NULL
    WHERE tenant_id = $1 AND artifact_key = $2 AND valid_from % 5 = 0
    RETURNING entry_id, equality_hash, valid_to AS revision
  ), revision AS (
    INSERT INTO artifact_revisions (tenant_id, artifact_key, revision) SELECT $1, $2, revision FROM retired
  ), change AS (
    INSERT INTO memory_changes (tenant_id, artifact_key, revision, entry_id, op, from_version)
    SELECT $1, $2, revision, entry_id, 'deactivate', 1 FROM retired
  )
  INSERT INTO memory_states (tenant_id, artifact_key, entry_id, valid_from, version, active, scope_key, equality_hash)
  SELECT $1, $2, entry_id, revision, 1, false, $3, equality_hash FROM retired`;

const countUp = `
  WITH state AS (
    SELECT * FROM memory_states WHERE tenant_id = $1 AND artifact_key = $2 AND valid_to IS NULL
  ), head AS (
    UPDATE artifacts SET head_revision = $4, placed_revision = $4, last_place = (SELECT count(*) FROM state)
    WHERE tenant_id = $1 AND artifact_key = $2
  ), term AS (
    INSERT INTO memory_terms AS t (tenant_id, scope_key, term, entries)
    SELECT $1, $3, term, count(*) FROM state, unnest(terms) AS term WHERE active GROUP BY term
    ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET entries = excluded.entries
  ), kind AS (
    UPDATE memory_kinds SET active_entries = (SELECT count(*) FROM state WHERE active),
      inactive_entries = (SELECT count(*) FROM state WHERE NOT active)
    WHERE tenant_id = $1 AND scope_key = $3
  )
  UPDATE memory_totals SET active_entries = (SELECT count(*) FROM state WHERE active),
    total_length = (SELECT sum(length) FROM state WHERE active), entered = (SELECT count(*) FROM state),
    placed = (SELECT count(*) FROM state)
  WHERE tenant_id = $1 AND scope_key = $3`;
