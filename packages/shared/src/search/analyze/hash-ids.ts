/** Lengths of the beginnings of a hash or id that the index knows: Git abbreviates to 7, and the first group of a UUID has 8. */
const [shortest, longer] = [7, 8];

const hexadecimal = /^[0-9a-f]{7,64}$/;
const hasDigit = /[0-9]/;
const hasLetter = /[a-f]/;

/**
 * The keys of the first 7 and 8 characters of a word that is a hash or the hexadecimal digits of an id (spec 25 Q7); none for another
 * word. A number is none in a text, where it would be found by similar numbers.
 */
export function hashKeys(folded: string): string[] {
  if (!hexadecimal.test(folded) || !hasDigit.test(folded) || !hasLetter.test(folded)) return [];
  return [shortest, longer]
    .filter((length) => length <= folded.length)
    .map((length) => keyOf(folded, length));
}

/**
 * The keys of texts with a hash of which a word of a query can be the beginning, or which can be its beginning: a text with 7
 * characters matches a longer word by its plain key. The word can be without a letter or without a digit.
 */
export function hashKeysOfQuery(folded: string): string[] {
  if (!hexadecimal.test(folded)) return [];
  return folded.length === shortest
    ? [keyOf(folded, shortest)]
    : [keyOf(folded, longer), folded.slice(0, shortest)];
}

function keyOf(folded: string, length: number): string {
  return `#${folded.slice(0, length)}`;
}
