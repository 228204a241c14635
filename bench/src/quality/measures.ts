/** How good one ranking is. */
export interface Quality {
  /** Share of the answers among the first 5. */
  recall5: number;
  /** Share of the answers among the first 10. */
  recall10: number;
  /** 1 by the place of the first answer; 0 where none is among the first 10. */
  reciprocalRank: number;
}

/** Judges the ids of a ranking, best first, by the ids of the answers. */
export function judge(ranked: readonly string[], answers: readonly string[]): Quality {
  const first = ranked.slice(0, 10).findIndex((id) => answers.includes(id));
  return {
    recall5: recallAt(5, ranked, answers),
    recall10: recallAt(10, ranked, answers),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}

function recallAt(count: number, ranked: readonly string[], answers: readonly string[]): number {
  const found = answers.filter((id) => ranked.slice(0, count).includes(id));
  return found.length / answers.length;
}

/** The mean of each measure; zeros of nothing. */
export function meanQuality(qualities: readonly Quality[]): Quality {
  const mean = (of: (quality: Quality) => number) =>
    qualities.reduce((sum, quality) => sum + of(quality), 0) / (qualities.length || 1);
  return {
    recall5: mean(({ recall5 }) => recall5),
    recall10: mean(({ recall10 }) => recall10),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
  };
}
