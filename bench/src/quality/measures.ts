/** The quality of one ranking. */
export interface Quality {
  /** Share of the relevant entries among the first 5. */
  recall5: number;
  /** Share of the relevant entries among the first 10. */
  recall10: number;
  /** 1 / rank of the first relevant entry; 0 if none is among the first 10. */
  reciprocalRank: number;
}

/** Compares ranked ids, best first, with the ids of the relevant entries. */
export function evaluateRanking(ranked: readonly string[], relevant: readonly string[]): Quality {
  const first = ranked.slice(0, 10).findIndex((id) => relevant.includes(id));
  return {
    recall5: recallAt(5, ranked, relevant),
    recall10: recallAt(10, ranked, relevant),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}

function recallAt(count: number, ranked: readonly string[], relevant: readonly string[]): number {
  const found = relevant.filter((id) => ranked.slice(0, count).includes(id));
  return found.length / relevant.length;
}

/** The mean of each measure; zeros for an empty list. */
export function meanQuality(qualities: readonly Quality[]): Quality {
  const mean = (of: (quality: Quality) => number) =>
    qualities.reduce((sum, quality) => sum + of(quality), 0) / (qualities.length || 1);
  return {
    recall5: mean(({ recall5 }) => recall5),
    recall10: mean(({ recall10 }) => recall10),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
  };
}
