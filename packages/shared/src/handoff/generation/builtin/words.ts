/** Shared words count up to this many. */
const maxShared = 3;

/** Words of four letters or more, which leaves out most that say nothing about the subject; of Han text, each character. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]{4,}/gu));
}

/** How many of the wanted words the text has, up to a few. */
export function countShared(text: string, wanted: ReadonlySet<string>): number {
  return Math.min([...wordsOf(text)].filter((word) => wanted.has(word)).length, maxShared);
}
