/** Numbers in [0, 1), the same ones for the same seed: two runs send the same texts. */
export type Random = () => number;

/** A xorshift generator of 32 bits (Marsaglia 2003): good enough to choose words, and nothing else. */
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
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}
