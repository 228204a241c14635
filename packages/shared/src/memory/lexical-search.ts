import { type Sql, statement } from '@continuity/shared/kernel';
import { type LexicalQuery, lexicalParameters, scoringOf } from '../lexical/index.ts';
import type { EntryRow } from './entry.ts';

/** An admitted entry, with the head of its own Memory Artifact. */
export interface LexicalHit extends Pick<EntryRow, 'entry_id' | 'entry_version_id' | 'kind' | 'text'> {
  artifact_id: string;
  head_revision: number;
  score: number;
}

export interface LexicalAnswer {
  /** Head revision of the Scope Memory; null where the Scope has none. */
  headRevision: number | null;
  /** Best first. */
  hits: LexicalHit[];
}

const scoring = scoringOf({
  texts: 'memory_states',
  identity: ['artifact_key', 'entry_id', 'version'],
  age: 'entry_id',
  terms: 'memory_terms',
  holders: 'entries',
  frequency: 'd.term_frequencies[array_position(d.terms, k.key)]',
});

/** `scoring` finds; each hit is then given the head of its Memory, and its text by the whole key of its version. */
const searchStatement = statement(
  'search_memory_lexically',
  `WITH scope AS (
     SELECT c.scope_key, a.head_revision, t.active_entries AS total, t.entered,
            t.total_length::float8 / nullif(t.active_entries, 0) AS average
     FROM scopes c
     JOIN artifacts a ON a.tenant_id = c.tenant_id AND a.scope_key = c.scope_key
       AND a.family = 'memory' AND a.artifact_id = 'memory'
     LEFT JOIN memory_totals t ON t.tenant_id = c.tenant_id AND t.scope_key = c.scope_key
     WHERE c.tenant_id = $1 AND c.scope_id = $2
   ), ${scoring}, memory AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = (SELECT scope_key FROM scope) AND a.family = 'memory'
   ), best AS MATERIALIZED (
     SELECT m.artifact_id, m.head_revision, s.artifact_key, s.entry_id, s.version, s.score
     FROM scored s JOIN memory m USING (artifact_key)
     ORDER BY s.score DESC, m.artifact_id, s.entry_id LIMIT $8
   ), hit AS (
     SELECT b.artifact_id, b.head_revision, b.entry_id, v.entry_version_id, v.kind, v.text, b.score
     FROM best b CROSS JOIN LATERAL (
       SELECT v.entry_version_id, v.kind, v.text FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = b.artifact_key AND v.entry_id = b.entry_id AND v.version = b.version
       OFFSET 0
     ) AS v
   )
   SELECT s.head_revision AS scope_revision, h.*
   FROM scope s LEFT JOIN hit h ON true
   ORDER BY h.score DESC, h.artifact_id, h.entry_id, h.entry_version_id`,
);

interface SearchRow extends LexicalHit {
  scope_revision: number;
}

/** The lexical channel (spec 20 S6 to S8): admitted active entries of all Memory Artifacts of a Scope, best first. */
export async function searchLexically(sql: Sql, query: LexicalQuery): Promise<LexicalAnswer> {
  const rows = await sql.rows<SearchRow>(searchStatement, lexicalParameters(query, query));
  const [first] = rows;
  if (first === undefined) return { headRevision: null, hits: [] };
  return { headRevision: first.scope_revision, hits: rows.filter((row) => row.entry_id !== null) };
}
