import { column, optimizationFence, pick, type RowOf, statement, tables } from '@continuity/kernel/database';
import { scopeKey } from '../../scopes/index.ts';
import {
  type CorpusStatements,
  explainGivenTexts,
  explanationColumns,
  explanationRow,
  firstOwnParameter,
  maxSegments,
  rareTerms,
  scoredColumns,
  scoreGivenTexts,
  scoringStatements,
  type TermIndex,
} from '../../search/index.ts';
import { hasNotEnded, holdsAt } from '../validity.ts';

/** Columns of a hit: an active entry that a channel admitted, with the head of its own Memory Artifact. */
export const hitRow = {
  ...pick(tables.memory_versions, 'artifact_key', 'entry_id', 'version', 'entry_version_id', 'kind', 'text'),
  ...pick(tables.memory_versions, 'holds_from', 'holds_until'),
  ...pick(tables.artifacts, 'artifact_id', 'head_revision'),
  /** Its number in the order of creation in its Memory; null until it has one. */
  place: tables.memory_versions.place,
  /** The revision that made the entry what it is. */
  revision: tables.memory_states.valid_from,
  /** BM25 or cosine similarity. */
  score: column.double,
};

/** A hit of one channel. */
export type ChannelHit = RowOf<typeof hitRow>;

/** A search without a hit has one row, whose columns of `hitRow` are null. */
const searchRow = {
  ...hitRow,
  /** Head revision of the Scope Memory. */
  scope_revision: tables.artifacts.head_revision,
  total: column.bigint,
  languages: column.integer,
};

const termIndex: TermIndex = {
  texts: 'memory_states',
  identity: ['artifact_key', 'entry_id', 'valid_from', 'version'],
  age: 'entry_id',
  terms: 'memory_terms',
  documentFrequency: 'entries',
  // The batch term comes last.
  ascending: 'trim_array(c.terms, 1)',
  selection: {
    postings: '(t.entries - t.ended)',
    size: 'searched',
    holds: hasNotEnded,
    hasNegative: false,
  },
};

/** The index for a search of what held at the time $9: ended entries too. */
const termIndexAsOf: TermIndex = {
  ...termIndex,
  selection: {
    postings: 't.entries',
    size: 'total',
    holds: (state) => holdsAt(state, `$${firstOwnParameter}`),
    hasNegative: true,
  },
};

/** The corpus of a Scope: the active entries of all its Memory Artifacts, and its Scope Memory. No row where it has no Memory. */
const corpus = `corpus AS MATERIALIZED (
     SELECT a.scope_key, a.artifact_key, a.artifact_id, a.head_revision, coalesce(t.active_entries, 0) AS total, t.entered,
            coalesce(t.active_entries - t.ended_entries, 0) AS searched,
            coalesce(t.languages, 0) AS languages, t.total_length::float8 / nullif(t.active_entries, 0) AS average
     FROM artifacts a
     LEFT JOIN memory_totals t ON t.tenant_id = a.tenant_id AND t.scope_key = a.scope_key
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = 'memory'
   )`;

/** SQL for the number of active entries in the Scope of a row. */
export function entriesOfScope(scope: string): string {
  return `coalesce((
    SELECT t.active_entries FROM memory_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key), 0)`;
}

/** SQL for the languages of the entries in the Scope of a row. */
export function languagesOfScope(scope: string): string {
  return `coalesce((
    SELECT t.languages FROM memory_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key), 0)`;
}

/** SQL for the place of an `entry` (spec 26 S15), which its first version has. Its current one is `v`. */
export function placeOf(entry: string, version: string): string {
  return `CASE WHEN ${version} = 1 THEN v.place ELSE (
       SELECT f.place FROM memory_versions f
       WHERE f.tenant_id = $1 AND f.artifact_key = ${entry}.artifact_key AND f.entry_id = ${entry}.entry_id AND f.version = 1) END`;
}

/** SQL that orders hits: equal scores by revision, the newest first, then by id (spec 25 Q6). */
export const hitOrder = 'score DESC, revision DESC, artifact_id, entry_id';

/**
 * The best entries of a Scope with their texts. The ids of the Memories break the last ties, so `upper` keeps all entries that equal
 * the last one. Each state and version is looked up by its whole key, and so is a Memory other than the Scope Memory.
 *
 * @param which SQL condition on the scored entries
 * @param index the index that the scores are from
 */
function bestEntries(scoring: string, which = 'true', index: TermIndex = termIndex): string {
  return `
   WITH ${corpus}, ${scoring}
   SELECT c.head_revision AS scope_revision, c.${index.selection?.size} AS total, c.languages, h.*
   FROM corpus c LEFT JOIN LATERAL (
     SELECT s.artifact_key, coalesce(m.artifact_id, c.artifact_id) AS artifact_id, coalesce(m.head_revision, c.head_revision) AS head_revision,
            s.entry_id, s.valid_from AS revision, s.version, v.entry_version_id, v.kind, v.text,
            v.holds_from, v.holds_until, ${placeOf('s', 's.version')} AS place, s.score
     FROM (
       SELECT * FROM scored WHERE ${which} ORDER BY score DESC, valid_from DESC FETCH FIRST $8 ROWS WITH TIES
     ) AS s LEFT JOIN LATERAL (
       SELECT a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = s.artifact_key AND s.artifact_key <> c.artifact_key ${optimizationFence}
     ) AS m ON true CROSS JOIN LATERAL (
       SELECT v.entry_version_id, v.kind, v.text, v.holds_from, v.holds_until, v.place FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = s.artifact_key AND v.entry_id = s.entry_id AND v.version = s.version
       ${optimizationFence}
     ) AS v
   ) AS h ON true
   ORDER BY ${hitOrder} LIMIT $8`;
}

/** The statements of a search: see `searchCorpus`. */
export type SearchStatements = CorpusStatements<RowOf<typeof searchRow>>;

const scoring = scoringStatements(termIndex, firstOwnParameter);
const ofScopeMemory = 'artifact_key = (SELECT artifact_key FROM corpus)';

/** Searches all Memory Artifacts of a Scope. */
export const searchAllMemories: SearchStatements = {
  tiny: statement('search_tiny_memory', bestEntries(scoring.tiny), searchRow),
  longOfFew: statement('search_few_entries_for_long_query', bestEntries(scoring.longOfFew), searchRow),
  small: statement('search_small_memory', bestEntries(scoring.small), searchRow),
  large: statement('search_large_memory', bestEntries(scoring.large), searchRow),
  long: statement('search_memory_for_long_query', bestEntries(scoring.long), searchRow),
};

const scoringAsOf = scoringStatements(termIndexAsOf, firstOwnParameter + 1);
const bestAsOf = (text: string) => bestEntries(text, 'true', termIndexAsOf);

/** Searches all Memory Artifacts of a Scope for what held at the time $9. */
export const searchMemoriesAsOf: SearchStatements = {
  tiny: statement('search_tiny_memory_as_of', bestAsOf(scoringAsOf.tiny), searchRow),
  longOfFew: statement('search_few_entries_as_of_for_long_query', bestAsOf(scoringAsOf.longOfFew), searchRow),
  small: statement('search_small_memory_as_of', bestAsOf(scoringAsOf.small), searchRow),
  large: statement('search_large_memory_as_of', bestAsOf(scoringAsOf.large), searchRow),
  long: statement('search_memory_as_of_for_long_query', bestAsOf(scoringAsOf.long), searchRow),
};

/** Searches the Scope Memory alone. Scores and retrieved entries are those of all Memory Artifacts. */
export const searchScopeMemory: SearchStatements = {
  tiny: statement('search_tiny_scope_memory', bestEntries(scoring.tiny, ofScopeMemory), searchRow),
  longOfFew: statement(
    'search_few_scope_entries_for_long_query',
    bestEntries(scoring.longOfFew, ofScopeMemory),
    searchRow,
  ),
  small: statement('search_small_scope_memory', bestEntries(scoring.small, ofScopeMemory), searchRow),
  large: statement('search_large_scope_memory', bestEntries(scoring.large, ofScopeMemory), searchRow),
  long: statement('search_scope_memory_for_long_query', bestEntries(scoring.long, ofScopeMemory), searchRow),
};

/** The active entries whose keys are the two parameters. */
const givenEntries = `SELECT ${scoredColumns(termIndex, 's', true)}
     FROM unnest($${firstOwnParameter}::bigint[], $${firstOwnParameter + 1}::uuid[]) AS given(artifact_key, entry_id)
     CROSS JOIN LATERAL (
       SELECT * FROM memory_states s
       WHERE s.tenant_id = $1 AND s.artifact_key = given.artifact_key AND s.entry_id = given.entry_id
         AND s.valid_to IS NULL AND s.active ${optimizationFence}
     ) AS s
     WHERE s.scope_key = (SELECT scope_key FROM corpus)`;

/** The scores of given entries and their coverage of the best segment; no row for one that no segment admits. */
export const scoreEntries = statement(
  'score_memory_entries',
  `WITH ${corpus}, ${scoreGivenTexts(termIndex, givenEntries)}
   SELECT artifact_key, entry_id, score, coverage FROM weighed LIMIT $8`,
  {
    ...pick(tables.memory_states, 'artifact_key', 'entry_id'),
    score: column.double,
    coverage: column.double,
  },
);

/** What given entries hold of the segments of a query: a row for each segment. $8 is the number of entries. */
export const explainEntriesStatement = statement(
  'explain_memory_entries',
  `WITH ${corpus}, ${explainGivenTexts(termIndex, givenEntries)}
   SELECT artifact_key, entry_id, ${explanationColumns} FROM explained LIMIT ${maxSegments} * $8::int`,
  { ...pick(tables.memory_states, 'artifact_key', 'entry_id'), ...explanationRow },
);

/** The places of the query terms that are rare among the active entries of a Scope (spec 25 Q4). Takes the parameters up to $6. */
export const rareTermsStatement = statement(
  'rare_memory_terms',
  `WITH ${corpus}, ${rareTerms(termIndex)}
   SELECT place FROM rare`,
  { place: column.integer },
);

/** Number of the parameters of `rareTermsStatement`. */
export const rareTermsParameters = 6;
