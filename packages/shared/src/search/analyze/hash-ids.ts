/** Characters of a hash or id that people quote: Git abbreviates to 7. */
const quoted = 7;

const hexadecimal = /^[0-9a-f]{7,64}$/;
const hasDigit = /[0-9]/;
const hasLetter = /[a-f]/;

/**
 * The first 7 characters of a word that is a hash or the hexadecimal digits of an id (spec 25 Q7); null for other words. A number is
 * none in a text, where it would be found by similar numbers.
 */
export function hashBeginning(folded: string): string | null {
  const isHash = hexadecimal.test(folded) && hasDigit.test(folded) && hasLetter.test(folded);
  return isHash ? folded.slice(0, quoted) : null;
}

/** As `hashBeginning`, for a word of a query, which can be the beginning of a hash without a letter or without a digit. */
export function hashBeginningOfQuery(folded: string): string | null {
  return hexadecimal.test(folded) ? folded.slice(0, quoted) : null;
}
