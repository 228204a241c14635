/** Texts up to which a corpus counts as small: a search scores every text that holds a query word. */
export const smallCorpusSize = 1_000;

/** Limit of query terms, rarest first, whose pairs a search of a large corpus looks up. */
export const maxPairedTerms = 8;

/** Document frequency up to which a word, or a pair of words, is rare: a search scores all of its texts. */
export const rareFrequency = 300;

/** Limit of texts that a search scores for all common words, or for all common pairs: the newest ones. */
export const maxCommonTexts = 150;

/** Limit of texts that a search scores for all rare pairs; words can co-occur more often than chance predicts. */
export const maxRarePairTexts = 1_000;

/** Document frequency up to which a search reads the whole posting list of a word. */
export const maxPostings = 4_000;

/** Limits of the newest texts, and of the batches that hold them, in which a search looks for common words. */
export const maxDepth = 65_536;
export const maxBatches = 256;

/** Factor by which a search looks further back for a pair than its expected frequency requires. */
export const depthMargin = 1.5;
