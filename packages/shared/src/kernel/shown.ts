/** Names and patterns are shown up to here: an issue for each of many places below a long name would be a long answer. */
const maxShown = 128;

/** A part of a path as issues show it. */
export function shownKey(key: PropertyKey): PropertyKey {
  if (typeof key !== 'string' || key.length <= maxShown) return key;
  return `${key.slice(0, maxShown).toWellFormed()}…`;
}

/** A name or pattern as issues quote it. */
export function quoted(text: string): string {
  return JSON.stringify(shownKey(text));
}
