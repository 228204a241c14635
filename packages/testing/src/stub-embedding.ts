import { createHash } from 'node:crypto';

/** Synonyms. No two words of a line share a stem, so only vectors relate them. */
const synonyms = [
  ['automobile', 'car', 'vehicle'],
  ['physician', 'doctor', 'medic'],
  ['purchase', 'buy', 'acquire'],
  ['begin', 'start', 'commence'],
  ['postgres', 'database', 'sql'],
  ['house', 'home', 'dwelling'],
];

const firstSynonym = new Map(synonyms.flatMap((words) => words.map((word) => [word, words[0] ?? word])));

/** The embedding of a text, equal on every machine. Texts of synonyms are near each other; other texts are not. */
export function embedText(text: string, dimension: number): number[] {
  const vector: number[] = Array.from({ length: dimension }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = createHash('sha256')
      .update(firstSynonym.get(word) ?? word)
      .digest();
    for (let index = 0; index < 8; index += 1) {
      const position = hash.readUInt16BE(index * 3) % dimension;
      vector[position] = (vector[position] ?? 0) + ((hash[index * 3 + 2] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  // A vector of zeros has no direction: the words of this text cancelled each other out.
  return vector.some((value) => value !== 0) ? vector : vector.fill(1, 0, 1);
}
