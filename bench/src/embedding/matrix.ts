import type { Random } from '../data/random.ts';

/** A row of a sparse matrix: which columns are not zero, and their values. */
export interface SparseRow {
  columns: Uint32Array;
  values: Float64Array;
}

/** Rows of equal length, dense. */
export type Dense = Float64Array[];

const rounds = 2;

/**
 * The `rank` strongest directions of the rows among `width` columns (the right singular vectors of the matrix), by
 * subspace iteration from a random start: Halko, Martinsson, Tropp 2011, algorithm 4.4. Answers one vector of `rank`
 * numbers for each column.
 */
export function strongestDirections(rows: SparseRow[], width: number, rank: number, random: Random): Dense {
  let basis: Dense = rows.map(() => Float64Array.from({ length: rank }, () => random() - 0.5));
  for (let round = 0; round < rounds; round += 1) {
    orthonormalize(basis);
    basis = rows.map(projector(foldIn(rows, basis, width, rank), rank));
  }
  // The length of a column of the basis is a singular value; without it a strong direction would count twice.
  const strengths = orthonormalize(basis);
  const directions = foldIn(rows, basis, width, rank);
  for (const direction of directions) {
    for (let k = 0; k < rank; k += 1) direction[k] = (direction[k] ?? 0) / Math.sqrt(strengths[k] || 1);
  }
  return directions;
}

/** Makes vectors of `rank` numbers of rows: the sum of the columns' directions. */
export function projector(directions: Dense, rank: number): (row: SparseRow) => Float64Array {
  return ({ columns, values }) => {
    const sum = new Float64Array(rank);
    for (const [index, column] of columns.entries()) {
      const direction = directions[column];
      const value = values[index] ?? 0;
      if (direction === undefined) continue;
      for (let k = 0; k < rank; k += 1) sum[k] = (sum[k] ?? 0) + value * (direction[k] ?? 0);
    }
    return sum;
  };
}

function foldIn(rows: SparseRow[], basis: Dense, width: number, rank: number): Dense {
  const sums = Array.from({ length: width }, () => new Float64Array(rank));
  for (const [index, { columns, values }] of rows.entries()) {
    const weights = basis[index] ?? new Float64Array(rank);
    for (const [place, column] of columns.entries()) {
      const sum = sums[column];
      const value = values[place] ?? 0;
      if (sum === undefined) continue;
      for (let k = 0; k < rank; k += 1) sum[k] = (sum[k] ?? 0) + value * (weights[k] ?? 0);
    }
  }
  return sums;
}

/** Gram-Schmidt on the columns, in place; answers the length that each had. */
function orthonormalize(matrix: Dense): number[] {
  const rank = matrix[0]?.length ?? 0;
  const lengths: number[] = [];
  for (let k = 0; k < rank; k += 1) {
    for (let before = 0; before < k; before += 1) {
      const overlap = columnProduct(matrix, before, k);
      for (const row of matrix) row[k] = (row[k] ?? 0) - overlap * (row[before] ?? 0);
    }
    const length = Math.sqrt(columnProduct(matrix, k, k));
    lengths.push(length);
    for (const row of matrix) row[k] = length > 0 ? (row[k] ?? 0) / length : 0;
  }
  return lengths;
}

function columnProduct(matrix: Dense, one: number, other: number): number {
  let sum = 0;
  for (const row of matrix) sum += (row[one] ?? 0) * (row[other] ?? 0);
  return sum;
}
