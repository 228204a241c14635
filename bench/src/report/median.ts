/** The median; for an even count, the mean of the two middle values. */
export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined)
    throw new Error('The median of an empty list is undefined.');
  return (upper + lower) / 2;
}
