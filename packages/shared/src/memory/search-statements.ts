import { type Statement, statement } from '@continuity/shared/kernel';
import {
  maxWhole,
  type ReadingShape,
  scoringOfFew,
  scoringOfMany,
  scoringOfPlanned,
} from '../lexical/index.ts';
import { scopeKey } from '../scopes/index.ts';
import type { EntryRow } from './entry.ts';

/** An admitted entry, with the head of its own Memory Artifact. */
export interface LexicalHit extends Pick<EntryRow, 'entry_id' | 'entry_version_id' | 'kind' | 'text'> {
  artifact_id: string;
  head_revision: number;
  score: number;
}

/** A row of the statements below. Without a hit there is one, whose columns of a hit are null. */
export interface SearchRow extends LexicalHit {
  scope_revision: number;
  total: number;
  languages: number;
  /** `<key> <holders>` of each known key, with commas between them; null for a small Scope. */
  holders: string | null;
  /** How many texts a planned statement has scored; null for the others. */
  found: number | null;
}

const tables = {
  texts: 'memory_states',
  identity: ['artifact_key', 'entry_id', 'version'],
  age: 'entry_id',
  terms: 'memory_terms',
  holders: 'entries',
  // The last one is that of the batch.
  ascending: 'trim_array(c.terms, 1)',
};

/** How many active entries the Scope of a row has. */
export function entriesOfScope(scope: string): string {
  return `coalesce((
    SELECT t.active_entries FROM memory_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key), 0)`;
}

/** The languages of the entries in the Scope of a row. */
export function languagesOfScope(scope: string): string {
  return `coalesce((
    SELECT t.languages FROM memory_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key), 0)`;
}

/**
 * Searches the Scope (`scope`), and tells how large it is, and of a large one how many entries hold each key. `scoring` finds; each
 * of the best is then given the head of its Memory, and the text by the whole key of its version. Equal scores at the end are all
 * looked at, because the ids of their Memories decide.
 */
function searchBy(scoring: string, found = 'NULL'): string {
  return `
   WITH scope AS MATERIALIZED (
     SELECT a.scope_key, a.head_revision, coalesce(t.active_entries, 0) AS total, t.entered,
            coalesce(t.languages, 0) AS languages, t.total_length::float8 / nullif(t.active_entries, 0) AS average
     FROM artifacts a
     LEFT JOIN memory_totals t ON t.tenant_id = a.tenant_id AND t.scope_key = a.scope_key
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = 'memory'
   ), ${scoring}, upper AS MATERIALIZED (
     SELECT * FROM scored ORDER BY score DESC FETCH FIRST $8 ROWS WITH TIES
   ), memory AS MATERIALIZED (
     SELECT a.* FROM (SELECT DISTINCT artifact_key FROM upper) AS k CROSS JOIN LATERAL (
       SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = k.artifact_key OFFSET 0
     ) AS a
   ), best AS (
     SELECT m.artifact_id, m.head_revision, s.artifact_key, s.entry_id, s.version, s.score
     FROM upper s JOIN memory m USING (artifact_key)
     ORDER BY s.score DESC, m.artifact_id, s.entry_id LIMIT $8
   ), hit AS (
     SELECT b.artifact_id, b.head_revision, b.entry_id, v.entry_version_id, v.kind, v.text, b.score
     FROM best b CROSS JOIN LATERAL (
       SELECT v.entry_version_id, v.kind, v.text FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = b.artifact_key AND v.entry_id = b.entry_id AND v.version = b.version
       OFFSET 0
     ) AS v
   )
   SELECT s.head_revision AS scope_revision, s.total, s.languages,
          CASE WHEN s.total > ${maxWhole} THEN (SELECT string_agg(key || ' ' || holders, ',') FROM known) END AS holders,
          ${found}::bigint AS found, h.*
   FROM scope s LEFT JOIN hit h ON true
   ORDER BY h.score DESC, h.artifact_id, h.entry_id, h.entry_version_id`;
}

// Several statements for what one could do: a server is longer about to begin with that one than to search most Scopes.
export const searchSmall = statement(
  'search_small_memory',
  // A parameter that nothing reads has no type.
  searchBy(scoringOfFew(tables, `(SELECT total <= ${maxWhole} AND $7::bigint IS NOT NULL FROM scope)`)),
);
export const searchLarge = statement('search_large_memory', searchBy(scoringOfMany(tables)));
const plannedStatements = new Map<string, Statement>();

/** One for each shape. */
export function searchPlanned(shape: ReadingShape): Statement {
  const name = `search_planned_memory_${shape.whole}_${shape.deep}`;
  const known = plannedStatements.get(name);
  if (known !== undefined) return known;
  const made = statement(name, searchBy(scoringOfPlanned(tables, shape), '(SELECT count(*) FROM scored)'));
  plannedStatements.set(name, made);
  return made;
}
