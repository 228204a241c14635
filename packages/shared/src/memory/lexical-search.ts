import type { Sql, Statement } from '@continuity/shared/kernel';
import {
  type AskedKey,
  askedKeys,
  coversLanguages,
  firstBatchTerm,
  type LexicalQuery,
  lexicalParameters,
  maxOfPairs,
  maxWhole,
  nothingHeld,
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
   * Most round trips where the size and the languages of the Scope are known; as many as it takes when left out. In one, a
   * statement plans for itself, which takes some tenths of a millisecond more; in two, what may be needed is sent together.
   */
  mostTrips?: 1 | 2;
}

/**
 * The lexical channel (spec 20 S6 to S8): admitted active entries of all Memory Artifacts of a Scope, best first. One statement
 * as a rule; others follow where the Scope, or what there is to read of it, is not what it was when it was last searched. What
 * is found does not depend on what was known.
 */
export async function searchLexically(
  sql: Sql,
  known: KnownScopes,
  asked: MemoryQuery,
): Promise<LexicalAnswer> {
  const query = { ...asked, query: wordsOf(asked.query) };
  let shortfall: Shortfall | undefined;
  for (let turn = 0; ; turn += 1) {
    const attempt = attemptAt(turn, shortfall, known, query);
    const sent = attempt.ways.map((way) => sql.rows<SearchRow>(way.statement, way.values));
    const answer = readAnswers(await Promise.all(sent), attempt, known, query);
    if (typeof answer !== 'string') return answer;
    shortfall = answer;
  }
}

type AnalyzedQuery = MemoryQuery & { query: QueryWords };

/** Why an answer is none: it was asked of what the Scope is not, or its plan finds too few, or more than it may read. */
type Shortfall = 'stale' | 'too few' | 'too many';

/** A statement with its values. */
interface Way {
  statement: Statement;
  values: unknown[];
  /** Undefined where the statement plans for itself. */
  plan: PlannedSearch | undefined;
}

/** A search by what is known of its Scope. */
interface Attempt {
  isLarge: boolean;
  languages: number;
  keys: AskedKey[];
  /** Sent together; the answer is that of the first which falls short of nothing. */
  ways: Way[];
}

/** More than a search takes by itself: only writes in between can have spoiled as many plans. */
const mostPlanned = 5;

function attemptAt(
  turn: number,
  shortfall: Shortfall | undefined,
  known: KnownScopes,
  query: AnalyzedQuery,
): Attempt {
  const total = known.sizes.of(query);
  const languages = known.languages.of(query);
  const keys = askedKeys(query, languages, query);
  const values = lexicalParameters(query, keys, firstBatchTerm(query));
  const isLarge = total > maxWhole;
  const unplanned = { statement: isLarge ? searchLarge : searchSmall, values, plan: undefined };
  const isPlanned = isLarge && query.mostTrips !== 1 && turn < mostPlanned;
  const plans = isPlanned ? plansFor(shortfall, known, { query, keys, total }) : [];
  const ways: Way[] = plans.map((plan) => ({
    statement: searchPlanned(plan.shape),
    values: [...values, ...plan.values],
    plan,
  }));
  if (ways.length === 0 || isLast(shortfall, query)) ways.push(unplanned);
  return { isLarge, languages, keys, ways };
}

/** Whether this is the last round trip. */
function isLast(shortfall: Shortfall | undefined, { mostTrips }: MemoryQuery): boolean {
  return mostTrips === 2 && shortfall !== undefined;
}

/** The plans by what is known, of which each is for where the one before falls short. */
function plansFor(
  shortfall: Shortfall | undefined,
  { counts }: KnownScopes,
  asked: { query: AnalyzedQuery; keys: AskedKey[]; total: number },
): PlannedSearch[] {
  if (shortfall === 'too many') return [];
  const whole = () => planSearch({ ...asked, spares: false }, counts) ?? [];
  if (shortfall === 'too few') return [whole()].flat();
  const isGuess = shortfall === undefined && counts.unknownTerms(asked.keys) > mostGuessed;
  const plan = planSearch({ ...asked, spares: true }, isGuess ? nothingHeld : counts);
  if (plan === undefined) return [];
  return [plan, plan.hasSpared && isLast(shortfall, asked.query) ? whole() : []].flat();
}

/**
 * Terms of a query that may be new for a plan to be made. Nearly all words that a process has not met are rare, but not where it
 * has met none: then nothing is read, and the counts are learned.
 */
const mostGuessed = 1;

/** The first answer that falls short of nothing, or what the last one lacks. */
function readAnswers(
  answers: SearchRow[][],
  attempt: Attempt,
  known: KnownScopes,
  query: AnalyzedQuery,
): LexicalAnswer | Shortfall {
  let lacking: Shortfall = 'stale';
  for (const [place, rows] of answers.entries()) {
    const [first] = rows;
    if (first === undefined) return { headRevision: null, hits: [] };
    noteScope(known, query, attempt.keys, first);
    const plan = attempt.ways[place]?.plan;
    if (!isRight(attempt, plan, known, first)) return 'stale';
    const hits = rows.filter((row) => row.entry_id !== null);
    const shortfall = shortfallOf(plan, first, hits, query.limit);
    if (shortfall === undefined) return { headRevision: first.scope_revision, hits };
    lacking = shortfall;
  }
  return lacking;
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
  { isLarge, languages }: Attempt,
  plan: PlannedSearch | undefined,
  { counts }: KnownScopes,
  answer: SearchRow,
): boolean {
  return (
    answer.total > maxWhole === isLarge &&
    coversLanguages(languages, answer.languages) &&
    plan?.isFor(counts, answer.total) !== false
  );
}

/** What a right plan does not have. One that may have left out texts is given up: others may be better. */
function shortfallOf(
  plan: PlannedSearch | undefined,
  { found }: SearchRow,
  hits: LexicalHit[],
  limit: number,
): Shortfall | undefined {
  if (plan === undefined) return undefined;
  if ((found ?? 0) >= maxOfPairs) return 'too many';
  return plan.hasSpared && hits.length < limit ? 'too few' : undefined;
}
