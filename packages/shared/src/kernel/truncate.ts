/** Longest name or pattern in an error message: one long name could otherwise appear in each of many issues. */
const maxLength = 128;

/** A key for the path of an issue. */
export function truncateKey(key: PropertyKey): PropertyKey {
  if (typeof key !== 'string' || key.length <= maxLength) return key;
  return `${key.slice(0, maxLength).toWellFormed()}…`;
}

/** A name or pattern in quotes for the message of an issue. */
export function quoteTruncated(text: string): string {
  return JSON.stringify(truncateKey(text));
}
