/** How to read the cosines of a vector space (spec 26 S9). */
export interface CosineScale {
  /** The cosine of unrelated texts: it says nothing, and counts as 0. */
  readonly baseline: number;
  /** Lower limit of the cosine of a hit. */
  readonly minSimilarity: number;
}

/** Upper limit of a baseline: a model whose unrelated texts are nearer than this tells texts apart by the rest all the same. */
const maxBaseline = 0.95;

/** Lower limit of an admitted cosine, and the part of the range above the baseline that it lies above it at least. */
const leastSimilarity = 0.3;
const admittedPart = 0.125;

/** The scale of a vector space with this baseline; 0 where it is not known. */
export function cosineScaleOf(baseline: number): CosineScale {
  return { baseline, minSimilarity: Math.max(leastSimilarity, baseline + admittedPart * (1 - baseline)) };
}

/** Share of the cosines of unrelated texts that the baseline is not below. */
const baselineQuantile = 0.95;

/**
 * The baseline of a vector space: the 95th percentile (nearest rank) of the cosines of each query with each passage but its own, from
 * 0 to 0.95. Vectors have unit length; query and passage of one place have one subject.
 */
export function baselineOf(queries: readonly Float32Array[], passages: readonly Float32Array[]): number {
  const cosines = queries.flatMap((query, place) =>
    passages.filter((_, other) => other !== place).map((passage) => dotProduct(query, passage)),
  );
  cosines.sort((one, other) => one - other);
  const cosine = cosines[Math.ceil(baselineQuantile * cosines.length) - 1] ?? 0;
  return Math.min(maxBaseline, Math.max(0, cosine));
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
