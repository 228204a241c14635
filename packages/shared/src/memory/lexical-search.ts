import { type Sql, statement } from '@continuity/shared/kernel';
import type { EntryRow } from './entry.ts';
import { analyzeQuery, bm25, type QueryTerm, requiredTerms } from './lexical/index.ts';
import { batchSize, firstBatchTerm, hashTerm } from './projection.ts';

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

/** Scopes of no more active entries than this are searched whole: every entry that holds a word is scored. */
const maxWhole = 1_000;

/** Words, or pairs of words, that no more entries than this should hold together are rare: each entry of theirs is scored. */
const maxRare = 300;

/** Entries that are scored of all common words, or of all common pairs: the newest. */
const maxNewest = 200;

/** Holders of a word up to which its list in the index is read whole. */
const maxListed = 4_000;

/** Query terms, the rarest, of which each pair is looked up. Where there are more, single words are read besides. */
const maxPaired = 8;

/** Entries that are scored of all rare pairs, in case that words go together more often than chance has it. */
const maxOfPairs = 1_000;

/** How far back common words are looked for, in entries. */
const maxDepth = 65_536;

/**
 * The state rows that `condition` finds by the index on terms. Terms are of one Scope: whose a row is, is asked of what
 * that one index has found (OFFSET 0), and never looked for through another.
 */
const statesWith = (condition: string): string => `
  SELECT s.artifact_key, s.entry_id, s.version, s.terms, s.term_frequencies, s.length
  FROM (SELECT * FROM memory_states WHERE ${condition} OFFSET 0) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM scope)`;

/** The terms of the newest batches that hold `depth` entries together. */
const newestBatches = (depth: string): string => `
  SELECT coalesce(array_agg(term), '{}') AS terms FROM (
    SELECT b.term, sum(b.entries) OVER (ORDER BY b.term DESC) - b.entries AS newer
    FROM scope s
    CROSS JOIN generate_series(0, (least(s.entered, ${maxDepth}, 4 * ${depth}) / ${batchSize})::int + 1) AS back
    CROSS JOIN LATERAL (
      SELECT t.term, t.entries FROM memory_terms t
      WHERE t.tenant_id = $1 AND t.scope_key = s.scope_key AND t.term = $8::bigint + s.entered / ${batchSize} - back
      OFFSET 0
    ) AS b
  ) AS batch WHERE newer < ${depth}`;

/**
 * Which entries are scored. An entry that must hold r of p terms holds one of any p - r + 1 of them, and two of any
 * p - r + 2: so the rarest are read one by one where one word is enough or the Scope is small, else in pairs, which hardly
 * any entry holds. That is every admitted entry, so that a common word hides none, but for words, and pairs, that so many
 * hold that the newest stand for all: a search never grows with the Scope. A term whose keys are rare and common (an
 * identifier and its parts) counts as two here. All terms, and the score, are then decided on each row that was found; one
 * that was found twice counts once. Formula: `lexical/bm25.ts`.
 */
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
   ), known AS MATERIALIZED (
     SELECT q.ord, q.key, m.entries AS holders,
            q.weight * ln(1 + (s.total - m.entries + 0.5) / (m.entries + 0.5))::float8 AS weight
     FROM scope s CROSS JOIN unnest($3::int[], $4::bigint[], $7::float8[]) AS q(ord, key, weight)
     CROSS JOIN LATERAL (
       SELECT t.entries FROM memory_terms t
       WHERE t.tenant_id = $1 AND t.scope_key = s.scope_key AND t.term = q.key OFFSET 0
     ) AS m
     WHERE m.entries > 0
   ), term AS MATERIALIZED (
     SELECT keys, holders, dense_rank() OVER (ORDER BY of_term, ord) AS place,
            (SELECT total FROM scope) <= ${maxWhole} OR sum(holders) OVER (ORDER BY holders, ord) <= ${maxRare} AS is_rare,
            (SELECT count(DISTINCT ord) FROM known) AS present
     FROM (
       SELECT ord, array_agg(key) AS keys, sum(holders)::float8 AS holders,
              sum(sum(holders)) OVER (PARTITION BY ord) AS of_term
       FROM known GROUP BY ord, holders > ${maxRare}
     ) AS t
   ), single AS MATERIALIZED (
     SELECT coalesce(array_agg(key) FILTER (WHERE is_rare), '{}') AS rare,
            coalesce(array_agg(key) FILTER (WHERE NOT is_rare), '{}') AS common,
            ${maxNewest} * (SELECT total FROM scope) / min(holders) FILTER (WHERE NOT is_rare) AS depth
     FROM term CROSS JOIN unnest(keys) AS key
     WHERE place <= present - $5::int + 1
       AND ($5 = 1 OR present > ${maxPaired} OR (SELECT total FROM scope) <= ${maxWhole})
   ), pair AS MATERIALIZED (
     SELECT one.keys AS one, other.keys AS other, ${maxNewest} * total / p.holders AS depth,
            least(one.holders, other.holders) > ${maxListed} OR sum(p.holders) OVER (ORDER BY p.holders) > ${maxRare} AS is_common
     FROM scope CROSS JOIN term AS one JOIN term AS other ON one.place < other.place
     CROSS JOIN LATERAL (SELECT one.holders * other.holders / total AS holders) AS p
     WHERE other.place <= least(other.present - $5 + 2, ${maxPaired}) AND total > ${maxWhole}
       AND NOT ($5 = 1 AND (one.is_rare OR other.is_rare))
   ), candidate AS MATERIALIZED (
     (${statesWith('terms && (SELECT rare FROM single)')})
     UNION ALL
     (SELECT s.* FROM (SELECT common, depth FROM single WHERE depth IS NOT NULL) AS w
      CROSS JOIN LATERAL (${newestBatches('w.depth')}) AS newest
      CROSS JOIN LATERAL (
        ${statesWith('terms && w.common AND terms && newest.terms')} ORDER BY s.entry_id DESC LIMIT ${maxNewest}
      ) AS s)
     UNION ALL
     (SELECT s.* FROM pair AS w
      CROSS JOIN LATERAL (${statesWith('terms && w.one AND terms && w.other')}) AS s
      WHERE NOT w.is_common ORDER BY s.entry_id DESC LIMIT ${maxOfPairs})
     UNION ALL
     (SELECT s.* FROM (SELECT * FROM pair WHERE is_common OFFSET 0) AS w
      CROSS JOIN LATERAL (${newestBatches('w.depth')}) AS newest
      CROSS JOIN LATERAL (
        ${statesWith('terms && w.one AND terms && w.other AND terms && newest.terms')}
        ORDER BY s.entry_id DESC LIMIT (SELECT ${maxNewest} / count(*) FROM pair WHERE is_common)
      ) AS s)
   ), scored AS (
     SELECT DISTINCT c.artifact_key, c.entry_id, c.version, m.score
     FROM candidate c CROSS JOIN scope CROSS JOIN LATERAL (
       SELECT sum(best) AS score, count(*) AS held FROM (
         SELECT max(k.weight * f.tf * ${bm25.k1 + 1}
                    / (f.tf + ${bm25.k1} * (${1 - bm25.b} + ${bm25.b}::float8 * c.length / scope.average))) AS best
         FROM known k CROSS JOIN LATERAL
           (SELECT c.term_frequencies[array_position(c.terms, k.key)]::float8 AS tf OFFSET 0) AS f
         WHERE f.tf IS NOT NULL GROUP BY k.ord
       ) AS term
     ) AS m
     WHERE m.held >= $5::int
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
  /** A text, or one that was analyzed before. */
  query: string | readonly QueryTerm[];
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
  const terms = typeof query === 'string' ? analyzeQuery(query) : query;
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
    firstBatchTerm({ tenantId, scopeId }),
  ]);
  const [first] = rows;
  if (first === undefined) return { headRevision: null, hits: [] };
  return { headRevision: first.scope_revision, hits: rows.filter((row) => row.entry_id !== null) };
}
