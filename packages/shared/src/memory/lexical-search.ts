import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import {
  coversLanguages,
  isPaired,
  type LexicalQuery,
  lexicalParameters,
  maxWhole,
  type QueryWords,
  scoringOfFew,
  scoringOfMany,
  scoringOfPairs,
  wordsOf,
} from '../lexical/index.ts';
import { scopeKey } from '../scopes/index.ts';
import { type EntryRow, evidenceColumn } from './entry.ts';
import type { KnownScopes } from './known-scopes.ts';

/** An admitted entry, with the head of its own Memory Artifact. */
export interface LexicalHit extends Pick<EntryRow, 'entry_id' | 'entry_version_id' | 'kind' | 'text'> {
  artifact_id: string;
  head_revision: number;
  score: number;
  /** As `evidenceColumn` has it. */
  evidence: string | null;
}

export interface LexicalAnswer {
  /** Head revision of the Scope Memory; null where the Scope has none. */
  headRevision: number | null;
  /** Best first. */
  hits: LexicalHit[];
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

/** Whether the Scope of a row has so many active entries that it is not searched whole. */
export function isLargeScope(scope: string): string {
  return `EXISTS (
    SELECT FROM memory_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key AND t.active_entries > ${maxWhole})`;
}

/** The languages of the entries in the Scope of a row. */
export function languagesOfScope(scope: string): string {
  return `coalesce((
    SELECT t.languages FROM memory_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key), 0)`;
}

/**
 * Searches where `condition` holds of the Scope (`head`), and tells whether it is large. `scoring` finds; each of the best is then
 * given the head of its Memory, and the text by the whole key of its version. Equal scores at the end are all looked at, because
 * the ids of their Memories decide.
 */
function searchWhere(condition: string, scoring: string): string {
  return `
   WITH head AS MATERIALIZED (
     SELECT a.scope_key, a.head_revision, coalesce(t.active_entries, 0) > ${maxWhole} AS is_large,
            t.active_entries AS total, t.entered, coalesce(t.languages, 0) AS languages, t.total_length::float8 / nullif(t.active_entries, 0) AS average
     FROM artifacts a
     LEFT JOIN memory_totals t ON t.tenant_id = a.tenant_id AND t.scope_key = a.scope_key
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = 'memory'
   ), scope AS MATERIALIZED (
     SELECT * FROM head WHERE ${condition}
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
     SELECT b.artifact_id, b.head_revision, b.entry_id, v.entry_version_id, v.kind, v.text, v.evidence, b.score
     FROM best b CROSS JOIN LATERAL (
       SELECT v.entry_version_id, v.kind, v.text, ${evidenceColumn} FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = b.artifact_key AND v.entry_id = b.entry_id AND v.version = b.version
       OFFSET 0
     ) AS v
   )
   SELECT s.head_revision AS scope_revision, s.is_large, s.languages, h.*
   FROM head s LEFT JOIN hit h ON true
   ORDER BY h.score DESC, h.artifact_id, h.entry_id, h.entry_version_id`;
}

// Three statements for what one could do: a server is longer about to begin with that one than to search most Scopes.
const searchSmall = statement(
  'search_small_memory',
  // A parameter that nothing reads has no type.
  searchWhere('NOT is_large AND $7::bigint IS NOT NULL', scoringOfFew(tables)),
);
const searchByPairs = statement('search_memory_by_pairs', searchWhere('is_large', scoringOfPairs(tables)));
const searchLarge = statement('search_large_memory', searchWhere('is_large', scoringOfMany(tables)));

interface SearchRow extends LexicalHit {
  scope_revision: number;
  is_large: boolean;
  languages: number;
}

/**
 * The lexical channel (spec 20 S6 to S8): admitted active entries of all Memory Artifacts of a Scope, best first. One statement
 * as a rule; a second one where the Scope is not what it was when it was last searched.
 */
export async function searchLexically(
  sql: Sql,
  known: KnownScopes,
  asked: LexicalQuery,
): Promise<LexicalAnswer> {
  const query = { ...asked, query: wordsOf(asked.query) };
  let isLarge = known.sizes.isLarge(query);
  let languages = known.languages.of(query);
  for (;;) {
    const values = lexicalParameters(query, languages, query);
    const rows = await sql.rows<SearchRow>(statementFor(query, isLarge, languages), values);
    const [first] = rows;
    if (first === undefined) return { headRevision: null, hits: [] };
    known.sizes.note(query, first.is_large);
    known.languages.note(query, first.languages);
    if (first.is_large === isLarge && coversLanguages(languages, first.languages))
      return { headRevision: first.scope_revision, hits: rows.filter((row) => row.entry_id !== null) };
    isLarge = first.is_large;
    languages = first.languages;
  }
}

function statementFor(
  { query, required }: LexicalQuery & { query: QueryWords },
  isLarge: boolean,
  languages: number,
): Statement {
  if (!isLarge) return searchSmall;
  return isPaired(query.termsIn(languages), required) ? searchByPairs : searchLarge;
}
