import { seededRandom } from '../data/random.ts';
import { featuresOf } from './features.ts';
import { projector, type SparseRow, strongestDirections } from './matrix.ts';

/** Makes the vector of a text. */
export type Embed = (text: string) => number[];

interface Feature {
  column: number;
  /** Inverse document frequency. */
  weight: number;
}

/**
 * Learns vectors of `dimension` numbers by latent semantic analysis (Deerwester et al. 1990): tf-idf of the features, cut
 * to its strongest directions. All it knows is which features go together in `texts`.
 */
export function learnVectors(texts: readonly string[], dimension: number): Embed {
  const documents = texts.map(featuresOf);
  const features = chooseFeatures(documents);
  const rows = documents.map((counts) => weigh(counts, features));
  const directions = strongestDirections(rows, features.size, dimension, seededRandom(67));
  const project = projector(directions, dimension);
  return (text) => unitVector(project(weigh(featuresOf(text), features)));
}

/** Those of more than one text: what only one has goes together with nothing. */
function chooseFeatures(documents: readonly Map<string, number>[]): Map<string, Feature> {
  const holders = new Map<string, number>();
  for (const counts of documents) {
    for (const feature of counts.keys()) holders.set(feature, (holders.get(feature) ?? 0) + 1);
  }
  const shared = [...holders].filter(([, count]) => count > 1);
  return new Map(
    shared.map(([feature, count], column) => [
      feature,
      { column, weight: Math.log(documents.length / count) },
    ]),
  );
}

/** A row of unit length. */
function weigh(counts: ReadonlyMap<string, number>, features: ReadonlyMap<string, Feature>): SparseRow {
  const known = [...counts].flatMap(([name, count]) => {
    const feature = features.get(name);
    return feature === undefined
      ? []
      : [{ column: feature.column, value: (1 + Math.log(count)) * feature.weight }];
  });
  const length = Math.hypot(...known.map(({ value }) => value)) || 1;
  return {
    columns: Uint32Array.from(known, ({ column }) => column),
    values: Float64Array.from(known, ({ value }) => value / length),
  };
}

/** A text of nothing known gets some direction: a vector of zero length counts as a failed embedding (spec 20 S9). */
function unitVector(vector: Float64Array): number[] {
  const length = Math.hypot(...vector);
  return length > 0
    ? Array.from(vector, (value) => value / length)
    : Array.from(vector, (_, index) => (index === 0 ? 1 : 0));
}
