import type { Steps } from '@continuity/kernel/fairness';
import type { TextProjections } from '../../search/index.ts';
import type { Extraction as Found, Proposal } from '../extraction/index.ts';
import type { FlushWindow } from './window.ts';

/**
 * Limit of distinct index terms of one commit. It holds the Scope's sequence, for which captures wait, and its statement fails after
 * 30 s. Storing so many took 2.4 s on two busy processors.
 */
export const maxCommitTerms = 100_000;

/**
 * Limit of entries of one commit, except those of its first Source. 2,000 took 1 s on two busy processors.
 */
export const maxCommitEntries = 2_000;

/** Sources of a window, and what was extracted from them. */
interface Extraction extends Found {
  window: FlushWindow;
}

/**
 * Cuts a window before the Source whose statements take the commit over `maxTerms` or `maxCommitEntries`, in steps. The Sources behind it stay pending, so
 * the next flush extracts them; a statement that they repeat then adds its evidence. The first Source always stays.
 */
export function* fitWindow(
  { window, proposals, leftOut }: Extraction,
  projections: TextProjections,
  maxTerms = maxCommitTerms,
): Steps<Extraction> {
  const places = new Map(
    window.sources.map((source, place) => [keyOf(source.sourceType, source.sourceId), place]),
  );
  const placesOf = ({ evidence }: Proposal) =>
    evidence.map(({ name, source_id }) => places.get(keyOf(name, source_id)) ?? 0);
  const byFirst = Map.groupBy(proposals, (proposal) => Math.min(...placesOf(proposal)));
  const terms = new Set<number>();
  let entries = 0;
  for (const place of window.sources.keys()) {
    entries += byFirst.get(place)?.length ?? 0;
    if (place > 0 && entries > maxCommitEntries) return cutWindow(place);
    for (const { text } of byFirst.get(place) ?? []) {
      for (const term of projections.get(text)?.terms ?? []) terms.add(term);
      yield;
    }
    if (place > 0 && terms.size > maxTerms) return cutWindow(place);
  }
  return { window, proposals, leftOut };

  function cutWindow(end: number): Extraction {
    const isKept = (place: number | undefined) => place !== undefined && place < end;
    const sources = window.sources.slice(0, end);
    const last = sources.at(-1)?.position ?? 0;
    return {
      window: { ...window, sources },
      leftOut: leftOut.filter(({ position }) => position <= last),
      proposals: proposals.flatMap((proposal) => {
        const evidence = proposal.evidence.filter(({ name, source_id }) =>
          isKept(places.get(keyOf(name, source_id))),
        );
        return evidence.length === 0 ? [] : [{ ...proposal, evidence }];
      }),
    };
  }
}

function keyOf(sourceType: string, sourceId: string): string {
  return JSON.stringify([sourceType, sourceId]);
}
