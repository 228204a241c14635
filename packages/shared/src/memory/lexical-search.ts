import type { Sql, Statement } from '@continuity/shared/kernel';
import {
  type AskedKey,
  askedKeys,
  coversLanguages,
  firstBatchTerm,
  type LexicalQuery,
  lexicalParameters,
  maxWhole,
  type PlannedSearch,
  planSearch,
  type QueryWords,
  wordsOf,
} from '../lexical/index.ts';
import type { KnownScopes } from './known-scopes.ts';
import {
  type LexicalHit,
  type SearchRow,
  searchLarge,
  searchPlanned,
  searchSmall,
} from './search-statements.ts';

export interface LexicalAnswer {
  /** Head revision of the Scope Memory; null where the Scope has none. */
  headRevision: number | null;
  /** Best first. */
  hits: LexicalHit[];
}

/** A search of one Scope's Memory. */
export interface MemoryQuery extends LexicalQuery {
  /**
   * Whether one statement has to do where the size and the languages of the Scope are known. It takes a few tenths of a
   * millisecond more than one that was planned for it.
   */
  inOneStatement?: boolean;
}

/**
 * The lexical channel (spec 20 S6 to S8): admitted active entries of all Memory Artifacts of a Scope, best first. One statement
 * as a rule; a second one where the Scope, or what there is to read of it, is not what it was when it was last searched.
 */
export async function searchLexically(
  sql: Sql,
  known: KnownScopes,
  asked: MemoryQuery,
): Promise<LexicalAnswer> {
  const query = { ...asked, query: wordsOf(asked.query) };
  for (let turn = 0; ; turn += 1) {
    const attempt = attemptAt(turn, known, query);
    const sent = attempt.statements.map(([one, values]) => sql.rows<SearchRow>(one, values));
    const answers = await Promise.all(sent);
    const [first] = answers[0] ?? [];
    if (first === undefined) return { headRevision: null, hits: [] };
    noteScope(known, query, attempt.keys, first);
    const hits = isRight(attempt, known, first) ? enoughOf(attempt, answers, query.limit) : undefined;
    if (hits !== undefined) return { headRevision: first.scope_revision, hits };
  }
}

type AnalyzedQuery = MemoryQuery & { query: QueryWords };

/** A search by what is known of its Scope. */
interface Attempt {
  isLarge: boolean;
  languages: number;
  keys: AskedKey[];
  /** Each with its values. Their answers are of one moment, or of two that follow each other. */
  statements: [Statement, unknown[]][];
  /** Of each statement; none where it plans for itself. */
  plans: PlannedSearch[];
}

function attemptAt(turn: number, known: KnownScopes, query: AnalyzedQuery): Attempt {
  const total = known.sizes.of(query);
  const languages = known.languages.of(query);
  const keys = askedKeys(query, languages, query);
  const values = lexicalParameters(query, keys, firstBatchTerm(query));
  const isLarge = total > maxWhole;
  const plans = isLarge ? plansAt(turn, known, query, keys, total) : [];
  const unplanned = isLarge ? searchLarge : searchSmall;
  const statements: Attempt['statements'] =
    plans.length > 0
      ? plans.map((plan) => [searchPlanned(plan.shape), [...values, ...plan.values]])
      : [[unplanned, values]];
  return { isLarge, languages, keys, statements, plans };
}

/**
 * How a large Scope is read: first by the plan for what is known, of which the answer tells whether it was right, and whether
 * that was enough. Then the counts are those of a moment ago, and the plan that spares nothing is asked for together with the
 * other one, so that it ends there. None where the statement has to plan for itself.
 */
function plansAt(
  turn: number,
  { counts }: KnownScopes,
  query: AnalyzedQuery,
  keys: AskedKey[],
  total: number,
): PlannedSearch[] {
  const isKnown = turn === 0 || (turn === 1 && keys.every(({ key }) => counts.has(key)));
  if (query.inOneStatement === true || !isKnown) return [];
  const plan = planSearch({ query, keys, total, spares: true }, counts);
  if (plan === undefined) return [];
  if (turn === 0 || !plan.hasSpared) return [plan];
  const whole = planSearch({ query, keys, total, spares: false }, counts);
  return whole === undefined ? [plan] : [plan, whole];
}

function noteScope(
  { sizes, languages, counts }: KnownScopes,
  scope: LexicalQuery,
  keys: readonly AskedKey[],
  { total, languages: found, holders }: SearchRow,
): void {
  sizes.note(scope, total);
  languages.note(scope, found);
  if (total <= maxWhole) return;
  for (const { key } of keys) counts.note(key, 0);
  for (const pair of holders?.split(',') ?? []) {
    const [key, count] = pair.split(' ');
    counts.note(Number(key), Number(count));
  }
}

/** Whether the Scope is what it was taken for. */
function isRight(
  { isLarge, languages, plans }: Attempt,
  { counts }: KnownScopes,
  answer: SearchRow,
): boolean {
  return (
    answer.total > maxWhole === isLarge &&
    coversLanguages(languages, answer.languages) &&
    plans.every((plan) => plan.isFor(counts, answer.total))
  );
}

/** The hits of the first answer that needs no other one; undefined where pairs were spared for too few. */
function enoughOf({ plans }: Attempt, answers: SearchRow[][], limit: number): LexicalHit[] | undefined {
  const hits = answers.map((rows) => rows.filter((row) => row.entry_id !== null));
  return hits.find((found, place) => found.length >= limit || plans[place]?.hasSpared !== true);
}
