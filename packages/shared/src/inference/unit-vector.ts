/**
 * `values` at length 1 in single precision, as vectors are kept and compared. Null for another dimension, a value that is not
 * finite, or a vector without a direction: these are failed embeddings (spec 20 S9).
 */
export function unitVector(values: readonly number[], dimension: number): Float32Array | null {
  if (values.length !== dimension || !values.every(Number.isFinite)) return null;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return null;
  // Scaled first: the square of a large value is not finite, and that of a small one is zero.
  const scaled = values.map((value) => value / largest);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  const unit = Float32Array.from(scaled, (value) => value / length);
  return unit.every(Number.isFinite) ? unit : null;
}
