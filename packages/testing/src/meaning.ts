import { createHash } from 'node:crypto';

/** Words of one meaning: no two of a line share a stem, so that only vectors bring them together. */
const meanings = [
  ['automobile', 'car', 'vehicle'],
  ['physician', 'doctor', 'medic'],
  ['purchase', 'buy', 'acquire'],
  ['begin', 'start', 'commence'],
  ['postgres', 'database', 'sql'],
  ['house', 'home', 'dwelling'],
];

const meaningOfWord = new Map(meanings.flatMap((words) => words.map((word) => [word, words[0] ?? word])));

/** A vector for a text, the same on every machine: texts of words of the same meaning are near, others hardly. */
export function meaningOf(text: string, dimension: number): number[] {
  const vector: number[] = Array.from({ length: dimension }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = createHash('sha256')
      .update(meaningOfWord.get(word) ?? word)
      .digest();
    for (let index = 0; index < 8; index += 1) {
      const place = hash.readUInt16BE(index * 3) % dimension;
      vector[place] = (vector[place] ?? 0) + ((hash[index * 3 + 2] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  // A text whose words cancel each other out has a meaning all the same.
  return vector.some((value) => value !== 0) ? vector : vector.fill(1, 0, 1);
}
