import { type Sql, statement } from '@continuity/shared/kernel';
import type { EntryRow } from './entry.ts';
import { analyzeQuery, bm25, requiredTerms } from './lexical/index.ts';
import { hashTerm } from './projection.ts';

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

/**
 * Most entries of rare words that one search scores, and of common ones besides. Of the rare words every entry is scored; of
 * what holds common words only, as many as this: a search never grows with the Scope, and never misses an entry for the
 * sake of a common word.
 */
const maxRare = 2_000;
const maxCommon = 600;

/**
 * The state rows that hold one of the keys. Keys are of one Scope: whose a row is, is asked of what the one index on terms
 * has found (OFFSET 0), and never looked for through another.
 */
const statesWith = (keys: string): string => `
  SELECT s.artifact_key, s.entry_id, s.version, s.terms, s.term_frequencies, s.length
  FROM (SELECT * FROM memory_states WHERE terms && (SELECT ${keys} FROM reading) OFFSET 0) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM scope)`;

/** Pairs of keys that one search looks up. A query of more is read by its rarest words. */
const maxPairs = 45;

/**
 * Which rows are scored is decided in the one index on terms. An entry that holds r of p terms holds one of any p - r + 1 of
 * them: of the rarest p - r + 1, those that are rare are read whole. What holds common ones only holds a pair of terms where
 * r is 2 or more: each pair is an intersection inside the index, and next to nothing else is read. Where there are too many
 * pairs, or r is 1, the common ones are read themselves. All terms, and the score, are then decided on each such row.
 * Formula: `lexical/bm25.ts`.
 */
const searchStatement = statement(
  'search_memory_lexically',
  `WITH scope AS (
     SELECT c.scope_key, a.head_revision, t.active_entries AS total, t.total_length::float8 / nullif(t.active_entries, 0) AS average
     FROM scopes c
     JOIN artifacts a ON a.tenant_id = c.tenant_id AND a.scope_key = c.scope_key
       AND a.family = 'memory' AND a.artifact_id = 'memory'
     LEFT JOIN memory_totals t ON t.tenant_id = c.tenant_id AND t.scope_key = c.scope_key
     WHERE c.tenant_id = $1 AND c.scope_id = $2
   ), known AS MATERIALIZED (
     SELECT q.ord, q.key, m.entries AS holders,
            q.weight * ln(1 + (s.total - m.entries + 0.5) / (m.entries + 0.5))::float8 AS weight
     FROM scope s CROSS JOIN unnest($3::int[], $4::bigint[], $7::float8[]) AS q(ord, key, weight)
     CROSS JOIN LATERAL (
       SELECT t.entries FROM memory_terms t
       WHERE t.tenant_id = $1 AND t.scope_key = s.scope_key AND t.term = q.key OFFSET 0
     ) AS m
     WHERE m.entries > 0
   ), rarest AS (
     SELECT ord, sum(holders) OVER (ORDER BY holders, ord) AS entries,
            row_number() OVER (ORDER BY holders, ord) AS place, count(*) OVER () AS present
     FROM (SELECT ord, sum(holders) AS holders FROM known GROUP BY ord) AS term
   ), pair AS MATERIALIZED (
     SELECT ARRAY[a.key, b.key] AS keys, count(*) OVER () AS pairs
     FROM known a JOIN known b ON a.ord < b.ord
     WHERE $5::int >= 2
       AND EXISTS (SELECT FROM rarest r WHERE r.place <= r.present - $5::int + 1 AND r.entries > ${maxRare})
   ), reading AS MATERIALIZED (
     SELECT coalesce(array_agg(k.key) FILTER (WHERE r.entries <= ${maxRare}), '{}') AS rare,
            coalesce(array_agg(k.key) FILTER (WHERE r.entries > ${maxRare}
              AND ($5::int = 1 OR (SELECT pairs FROM pair LIMIT 1) > ${maxPairs})), '{}') AS common
     FROM rarest r JOIN known k USING (ord) WHERE r.place <= r.present - $5::int + 1
   ), candidate AS MATERIALIZED (
     (SELECT DISTINCT ON (s.artifact_key, s.entry_id) s.*
      FROM pair p CROSS JOIN LATERAL (
        SELECT s.artifact_key, s.entry_id, s.version, s.terms, s.term_frequencies, s.length
        FROM (SELECT * FROM memory_states WHERE terms @> p.keys OFFSET 0) AS s
        WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM scope)
          AND NOT s.terms && (SELECT rare FROM reading)
        LIMIT ${maxCommon} / p.pairs
      ) AS s
      WHERE p.pairs <= ${maxPairs})
     UNION ALL
     (${statesWith('rare')})
     UNION ALL
     (${statesWith('common')} AND NOT s.terms && (SELECT rare FROM reading) LIMIT ${maxCommon})
   ), scored AS (
     SELECT c.artifact_key, c.entry_id, c.version, sum(m.best) AS score
     FROM candidate c CROSS JOIN scope CROSS JOIN LATERAL (
       SELECT max(k.weight * f.tf * ${bm25.k1 + 1}
                  / (f.tf + ${bm25.k1} * (${1 - bm25.b} + ${bm25.b} * c.length / scope.average))) AS best
       FROM known k CROSS JOIN LATERAL
         (SELECT c.term_frequencies[array_position(c.terms, k.key)]::float8 AS tf) AS f
       WHERE f.tf IS NOT NULL GROUP BY k.ord
     ) AS m
     GROUP BY c.artifact_key, c.entry_id, c.version HAVING count(*) >= $5::int
   ), memory AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = (SELECT scope_key FROM scope) AND a.family = 'memory'
   ), best AS MATERIALIZED (
     SELECT m.artifact_id, m.head_revision, s.artifact_key, s.entry_id, s.version, s.score
     FROM scored s JOIN memory m USING (artifact_key)
     ORDER BY s.score DESC, m.artifact_id, s.entry_id LIMIT $6
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

export interface LexicalQuery {
  tenantId: number;
  scopeId: string;
  query: string;
  /** Most hits. */
  limit: number;
  /** How many of n query terms an entry must hold; as S7 has it when left out. */
  required?: (n: number) => number;
}

/** The lexical channel (spec 20 S6 to S8): admitted active entries of all Memory Artifacts of a Scope, best first. */
export async function searchLexically(
  sql: Sql,
  { tenantId, scopeId, query, limit, required = requiredTerms }: LexicalQuery,
): Promise<LexicalAnswer> {
  const terms = analyzeQuery(query);
  const keys = terms.flatMap((term, ord) =>
    term.keys.map((key, index) => ({ ord, key, weight: term.weights[index] })),
  );
  const rows = await sql.rows<SearchRow>(searchStatement, [
    tenantId,
    scopeId,
    keys.map(({ ord }) => ord),
    keys.map(({ key }) => hashTerm({ tenantId, scopeId }, key)),
    required(terms.length),
    limit,
    keys.map(({ weight }) => weight),
  ]);
  const [first] = rows;
  if (first === undefined) return { headRevision: null, hits: [] };
  return { headRevision: first.scope_revision, hits: rows.filter((row) => row.entry_id !== null) };
}
