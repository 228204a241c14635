/** Texts up to which a search for a query with many terms scores every text. At least `maxCountedTexts`. */
export const fewTexts = 128;

/** Limit of batches of 2,048 entered texts up to which a search finds all of few texts by their batches. */
export const maxBatchesOfFew = 64;

/** Texts up to which a corpus counts as small: a search scores every text that can be admitted. */
export const smallCorpusSize = 1_000;

/** Terms of all segments together, each as often as segments have it, up to which a search scores all texts that it retrieves. */
export const maxExactTerms = 48;

/** Limits of postings that a search reads of whole posting lists, rarest first (spec 25 Q3): for a query with few terms, and many. */
export const maxPostings = 64;
export const maxPostingsOfLong = 300;

/** Limit of other keys, rarest first, of which a bounded search looks up pairs, or the newest texts. */
export const maxRankedKeys = 64;

/** Limit of terms of a segment, rarest first, whose pairs a bounded search looks up. */
export const maxPairedTerms = 8;

/** Limit of lookups of pairs. */
export const maxPairLookups = 10;

/** Limit of the expected texts of all pairs together. */
export const maxPairTexts = 800;

/** A pair with more expected texts than this is looked for in the newest texts only. */
export const maxWholeTexts = 300;

/** Words co-occur more often than chance predicts: a lookup reads up to this many times the expected texts, and some more. */
export const spareTexts = 3;

/** Limit of texts, the newest, that a search reads for a pair of common terms. */
export const maxPairNewest = 50;

/** Limit of texts, the newest, that a search reads for common terms that admit a text by themselves. */
export const maxCommonTexts = 100;

/** Postings of such terms for each of these texts, after which no further term is looked up. */
export const postingsPerCommonText = 10;

/** Texts whose score the search for a long query computes at least: more if more candidates are asked for. */
export const minScoredTexts = 30;

/** Document frequency up to which a pair is looked for in all texts, and not in the newest ones only. */
export const maxWholeList = 4_000;

/** Limits of the newest texts, and of the batches that hold them, in which a search looks for common words. */
export const maxDepth = 65_536;
export const maxBatches = 256;

/** Factor by which a search looks further back for a pair than its expected frequency requires. */
export const depthMargin = 1.5;
