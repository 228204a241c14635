/** The number of a `bigint` column. Throws where the number is not exact. */
export function safeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('A bigint column holds a number beyond 2^53.');
  return number;
}
