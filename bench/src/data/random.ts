/** Returns numbers in [0, 1). The same seed gives the same sequence. */
export type Random = () => number;

/** A 32-bit xorshift generator (Marsaglia 2003). Not for cryptography. */
export function seededRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 88_675_123) | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('Cannot pick from an empty list.');
  return item;
}
