/** Reciprocal rank fusion (spec 20 S10). */
const rankOffset = 60;

/** A channel's admitted items, best first; ranks are the positions, from 1. */
export interface Channel<Name extends string, Item> {
  readonly name: Name;
  readonly ranked: readonly Item[];
}

/** An item with the sum of `1 / (60 + rank)` over the channels that admitted it, in (0, channels / 61]. */
export interface Fused<Name extends string, Item> {
  readonly item: Item;
  readonly score: number;
  readonly matchedBy: readonly Name[];
}

/** Items in order of a channel's own score, high first, equal ones by `tieBreak`: what `fuseRanks` takes as `ranked`. */
export function rankByScore<Item>(
  items: readonly Item[],
  scoreOf: (item: Item) => number,
  tieBreak: (a: Item, b: Item) => number,
): Item[] {
  return [...items].sort((a, b) => scoreOf(b) - scoreOf(a) || tieBreak(a, b));
}

/**
 * Fuses channels, best first, equal scores by `tieBreak`. `matchedBy` follows the order of `channels`. Two items are
 * one when `identify` gives the same string; the first channel's copy is answered.
 */
export function fuseRanks<Name extends string, Item>(
  channels: readonly Channel<Name, Item>[],
  identify: (item: Item) => string,
  tieBreak: (a: Item, b: Item) => number,
): Fused<Name, Item>[] {
  const fused = new Map<string, { item: Item; score: number; matchedBy: Name[] }>();
  for (const { name, ranked } of channels) {
    for (const [index, item] of ranked.entries()) {
      const id = identify(item);
      const hit = fused.get(id) ?? { item, score: 0, matchedBy: [] };
      hit.score += 1 / (rankOffset + index + 1);
      hit.matchedBy.push(name);
      fused.set(id, hit);
    }
  }
  return rankByScore(
    [...fused.values()],
    (hit) => hit.score,
    (a, b) => tieBreak(a.item, b.item),
  );
}
