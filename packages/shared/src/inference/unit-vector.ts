/**
 * Scales a vector to length 1 in single precision. Null, a failed embedding, for another dimension, a value that is not finite, or a
 * zero vector (spec 20 S9).
 */
export function toUnitVector(values: readonly number[], dimension: number): Float32Array | null {
  if (values.length !== dimension || !values.every(Number.isFinite)) return null;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return null;
  // Scale first: squares of large values overflow, squares of small ones underflow.
  const scaled = values.map((value) => value / largest);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  const unit = Float32Array.from(scaled, (value) => value / length);
  return unit.every(Number.isFinite) ? unit : null;
}
