/**
 * Exact for the decimal numbers that JSON writes: 0.0075 is a multiple of 0.0001, although the doubles divide otherwise.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const scale = Math.min(exponent, divisorExponent);
  const scaled = digits * 10n ** BigInt(exponent - scale);
  return scaled % (divisorDigits * 10n ** BigInt(divisorExponent - scale)) === 0n;
}

/** The shortest decimal number that reads as this double: digits, and the power of ten that they are multiplied by. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
