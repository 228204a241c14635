/** Instructions of 18,000 different words, 90 KB, whose analysis takes 0.1 s. */
export const longInstructions = Array.from(
  { length: 18_000 },
  (_, index) => `w${((index * 7_919) % 46_655).toString(36)}`,
).join(' ');

/** Ten Chinese texts of 8 KiB each. */
export const chineseTexts = Array.from({ length: 10 }, (_, index) => hanzi(index + 1));

/** Chinese text of 8 KiB, whose pairs of characters hardly repeat. */
function hanzi(seed: number): string {
  let state = seed;
  return Array.from({ length: 2_700 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return String.fromCharCode(0x4e00 + ((state >> 8) % 20_000));
  }).join('');
}
