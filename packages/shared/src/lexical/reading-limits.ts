/** Corpora of no more texts than this are searched whole: every text that holds a word is scored. */
export const maxWhole = 1_000;

/** Query terms, the rarest, of which each pair is looked up. */
export const maxPaired = 8;

/** Words, or pairs of words, that no more texts than this should hold together are rare: each text of theirs is scored. */
export const maxRare = 300;

/** Texts that are scored of all common words, or of all common pairs: the newest. */
export const maxNewest = 150;

/** Texts that are scored of all rare pairs, in case that words go together more often than chance has it. */
export const maxOfPairs = 1_000;

/** Holders of a word up to which its list in the index is read whole. */
export const maxListed = 4_000;

/** How far back common words are looked for, in texts, and in batches that hold any. */
export const maxDepth = 65_536;
export const maxBatches = 256;

/** By how much farther than chance has it a search goes back for the newest of a pair. */
export const slack = 1.5;
