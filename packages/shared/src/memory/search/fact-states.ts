import {
  type AnalyzedQuery,
  areStatesOfFact,
  canBeStatesOfFact,
  contentWords,
  saysEnded,
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
 * Gives a candidate the score of an older one before it, if the two are states of one fact, so that the newer comes first (spec 25 Q6). They
 * hold the same terms of the query and have similar words, so only their lengths and the noise of vectors can have ordered them. A
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
  const words = lazily(compared, ({ item }) => contentWords(item.text));
  const ended = lazily(compared, ({ item }) => saysEnded(item.text));
  const held = lazily(compared, ({ item }) => query.termsHeldBy(item.text, languages));
  const areStates = (older: number, newer: number): boolean =>
    canBeStatesOfFact(beginnings(older), beginnings(newer)) &&
    areStatesOfFact(words(older), words(newer), ended(newer)) &&
    held(older).size > 0 &&
    isEqual(held(older), held(newer));
  const leastPart = 1 - maxDifference / Math.sqrt(Math.max(1, query.analysisIn(languages).segments.length));
  const leveled: C[] = [];
  for (const [place, candidate] of compared.entries()) {
    const older = compared.findIndex(
      ({ item, score }, before) =>
        before < place &&
        item.revision < candidate.item.revision &&
        score > candidate.score &&
        score * leastPart <= candidate.score &&
        areStates(before, place),
    );
    // The older one can have got the score of a still older one.
    leveled.push({ ...candidate, score: leveled[older]?.score ?? candidate.score });
  }
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

function isEqual(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((place) => other.has(place));
}
