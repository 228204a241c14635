import type { Origin } from './candidate.ts';

/** What the items of a preparation go back to. */
export interface Evidence {
  /** Whether each of them has some; there is at least one. */
  isComparable: boolean;
  /** Tokens of all of it, each Source once; 0 where it is not comparable. */
  baseline: number;
}

const incomparable: Evidence = { isComparable: false, baseline: 0 };

/** The evidence of items (spec 20 P12); undefined where that of an item that it depends on is not worked out. */
export function addUpEvidence(items: readonly Pick<Origin, 'scopeId' | 'evidence'>[]): Evidence | undefined {
  const known = items.map(({ evidence }) => (evidence === null ? null : (JSON.parse(evidence) as number[])));
  // One item without evidence decides, whatever the others have.
  if (items.length === 0 || known.some((pairs) => pairs?.length === 0)) return incomparable;
  const tokens = new Map<string, number>();
  for (const [index, pairs] of known.entries()) {
    if (pairs === null) return undefined;
    for (let at = 0; at < pairs.length; at += 2)
      tokens.set(`${pairs[at]} ${items[index]?.scopeId}`, pairs[at + 1] ?? 0);
  }
  return { isComparable: true, baseline: [...tokens.values()].reduce((sum, one) => sum + one, 0) };
}
