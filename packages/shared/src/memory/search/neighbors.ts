import type { ArtifactKey } from '@continuity/kernel/database';
import { timeOfId } from '@continuity/kernel/text';

/** An entry with its score and its place in the order of creation of its Memory; null until it has one. */
interface PlacedEntry {
  artifact_key: ArtifactKey;
  entry_id: string;
  place: number | null;
}

interface Candidate {
  readonly item: PlacedEntry;
  /** At least 0. */
  readonly score: number;
}

/** Limits of the distance of neighbors: of their places, and of their creation in milliseconds. */
const maxPlacesApart = 2;
const maxApartMs = 600_000;

/** Part of what the best neighbor is above the median that a candidate gains. */
const lentPart = 0.4;

/**
 * Adds to the score of each candidate a part of that of its best neighbor (spec 26 S15), because what was said together is asked for
 * together:
 *
 *     added(candidate) = 0.4 * max(0, largest score of its neighbors - median of all scores)
 *
 * Then divides by the largest sum, which it returns too, so that the best score is 1. Keeps the order of the candidates.
 */
export function addNeighborScores<C extends Candidate>(
  candidates: readonly C[],
): { candidates: C[]; largest: number } {
  const middle = medianOf(candidates.map(({ score }) => score));
  const lent = largestNeighborScores(candidates);
  const sums = candidates.map(
    (candidate) => candidate.score + lentPart * Math.max(0, (lent.get(candidate) ?? 0) - middle),
  );
  const largest = Math.max(0, ...sums);
  const scored = candidates.map((candidate, index) => ({
    ...candidate,
    score: largest === 0 ? 0 : (sums[index] ?? 0) / largest,
  }));
  return { candidates: scored, largest };
}

/** The largest score of the neighbors of each candidate that has any. Places are distinct, so a neighbor is at most two away in their order. */
function largestNeighborScores<C extends Candidate>(candidates: readonly C[]): Map<C, number> {
  const largest = new Map<C, number>();
  const lend = (from: C, to: C) => largest.set(to, Math.max(from.score, largest.get(to) ?? 0));
  const placed = candidates.filter(({ item }) => item.place !== null);
  for (const ofMemory of Map.groupBy(placed, ({ item }) => item.artifact_key).values()) {
    ofMemory.sort((one, other) => (one.item.place ?? 0) - (other.item.place ?? 0));
    for (let first = 0; first < ofMemory.length; first += 1)
      for (let next = first + 1; next <= first + maxPlacesApart; next += 1) {
        const [one, other] = [ofMemory[first], ofMemory[next]];
        if (one === undefined || other === undefined || !areNeighbors(one.item, other.item)) continue;
        lend(one, other);
        lend(other, one);
      }
  }
  return largest;
}

function areNeighbors(one: PlacedEntry, other: PlacedEntry): boolean {
  const placesApart = (other.place ?? 0) - (one.place ?? 0);
  return (
    placesApart <= maxPlacesApart && Math.abs(timeOfId(other.entry_id) - timeOfId(one.entry_id)) <= maxApartMs
  );
}

/** The middle value, or the mean of the two middle ones; 0 for no values. */
function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  const half = ascending.length / 2;
  const [low, high] = [ascending[Math.ceil(half) - 1] ?? 0, ascending[Math.floor(half)] ?? 0];
  return (low + high) / 2;
}
