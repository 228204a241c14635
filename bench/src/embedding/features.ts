/** What a text is made of for latent semantic analysis: words, pieces of words, characters and pairs of Han. */

const token = /(?<han>\p{sc=Han}+)|[\p{L}\p{M}\p{N}_]+/gu;
const pieceLengths = [3, 4] as const;

/** How often each feature occurs. Knows nothing of languages, stems or synonyms. */
export function featuresOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (feature: string) => void counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const match of text.normalize('NFKC').toLowerCase().matchAll(token)) {
    if (match.groups?.['han'] === undefined) addWord(match[0], add);
    else addHan([...match[0]], add);
  }
  return counts;
}

function addWord(word: string, add: (feature: string) => void): void {
  add(`=${word}`);
  const framed = [...`^${word}$`];
  for (const length of pieceLengths) {
    for (let from = 0; from + length <= framed.length; from += 1)
      add(framed.slice(from, from + length).join(''));
  }
}

function addHan(characters: readonly string[], add: (feature: string) => void): void {
  for (const [index, character] of characters.entries()) {
    add(character);
    const next = characters[index + 1];
    if (next !== undefined) add(character + next);
  }
}
