import {
  type AnalyzedQuery,
  areStatesOfFact,
  canBeStatesOfFact,
  readStatement,
  wordBeginnings,
} from '../../search/index.ts';

interface Candidate {
  readonly item: { readonly text: string; readonly revision: number };
  readonly score: number;
}

/** Limit of candidates that are compared: the items of a context. */
const maxCompared = 16;

/** Largest difference of the scores, as a part of the higher one, for a query of one segment. */
const maxDifference = 0.25;

/**
 * Gives two states of one fact one score, so that the newer comes first (spec 25 Q6): that of the older, where BM25 or vectors have it
 * first. They hold the same terms of the query and have similar words, so only their lengths and the noise of vectors can have ordered them. A
 * long prompt shares terms with many entries by chance, so each further segment narrows the difference.
 *
 * @param candidates best first
 * @param languages mask of the languages of the Scope: the query was analyzed for them already
 */
export function levelFactStates<C extends Candidate>(
  candidates: readonly C[],
  query: AnalyzedQuery,
  languages?: number,
): C[] {
  const compared = candidates.slice(0, maxCompared);
  const beginnings = lazily(compared, ({ item }) => wordBeginnings(item.text));
  const statements = lazily(compared, ({ item }) => readStatement(item.text));
  const held = lazily(compared, ({ item }) => query.termsHeldBy(item.text, languages));
  const leastPart = 1 - maxDifference / Math.sqrt(Math.max(1, query.analysisIn(languages).segments.length));
  const isOlderState = (older: number, newer: number): boolean => {
    const [one, other] = [compared[older] as C, compared[newer] as C];
    return (
      one.item.revision < other.item.revision &&
      one.score * leastPart <= other.score &&
      canBeStatesOfFact(beginnings(older), beginnings(newer)) &&
      areStatesOfFact(statements(older), statements(newer)) &&
      held(older).size > 0 &&
      held(older).size === held(newer).size &&
      isSubset(held(older), held(newer))
    );
  };
  // The states of one fact share a level.
  const levels: { score: number }[] = [];
  for (const [place, { item, score }] of compared.entries()) {
    const older = compared.findIndex((_, before) => before < place && isOlderState(before, place));
    const level = levels[older];
    if (level === undefined) {
      levels.push({ score });
      continue;
    }
    // A still newer entry between the two, with the same words of the query, stays before both.
    for (const [between, other] of compared.slice(0, place).entries()) {
      const isNewer = other.item.revision > item.revision && levels[between] !== level;
      const isBetween = isNewer && (levels[between]?.score ?? 0) < level.score;
      if (isBetween && isSubset(held(place), held(between)))
        level.score = levels[between]?.score ?? level.score;
    }
    levels.push(level);
  }
  const leveled = compared.map((candidate, place) => ({
    ...candidate,
    score: levels[place]?.score ?? candidate.score,
  }));
  return [...leveled, ...candidates.slice(maxCompared)];
}

/** Computes a value of an item at its first use. */
function lazily<T, V>(items: readonly T[], compute: (item: T) => V): (place: number) => V {
  const values = new Map<number, V>();
  return (place) => {
    const known = values.get(place) ?? compute(items[place] as T);
    values.set(place, known);
    return known;
  };
}

function isSubset(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return [...one].every((place) => other.has(place));
}
