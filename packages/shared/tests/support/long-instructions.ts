/** Instructions of 18,000 different words, 90 KB, whose analysis takes 0.1 s. */
export const longInstructions = Array.from(
  { length: 18_000 },
  (_, index) => `w${((index * 7_919) % 46_655).toString(36)}`,
).join(' ');
