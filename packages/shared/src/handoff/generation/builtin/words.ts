/** Limit of counted shared words. */
const maxShared = 3;

/** Words of at least four letters, which excludes most function words; for Han text each character. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]{4,}/gu));
}

/** Number of wanted words in the text, up to `maxShared`. */
export function countShared(text: string, wanted: ReadonlySet<string>): number {
  return Math.min([...wordsOf(text)].filter((word) => wanted.has(word)).length, maxShared);
}
