import type { Vocabulary } from './vocabulary.ts';

/** The mark of SentencePiece for the start of a word. */
const wordStart = '▁';

/** Characters of a normalized text that are read: more than the longest pieces of the most tokens have. */
const maxCharacters = 8_192;

const encoder = new TextEncoder();

/**
 * Normalizes a text as XLM-RoBERTa's SentencePiece model does (`nmt_nfkc`): compatibility characters are replaced, control characters
 * removed, combining marks composed, and white space is one space between words.
 */
export function normalize({ replacements }: Pick<Vocabulary, 'replacements'>, text: string): string {
  let replaced = '';
  for (const character of text.toWellFormed())
    replaced += replacements.get(character.codePointAt(0) as number) ?? character;
  return replaced.normalize('NFC').replaceAll(/[ ▁]+/g, ' ').trim().slice(0, maxCharacters).toWellFormed();
}

/**
 * The ids of the first `limit` tokens of a text: of each word, the pieces with the highest sum of scores. No piece spans two words, so
 * a word is cut by itself. Linear in the length of the text.
 */
export function tokenize(vocabulary: Vocabulary, text: string, limit: number): number[] {
  const ids: number[] = [];
  for (const word of normalize(vocabulary, text).split(' ')) {
    if (word === '') continue;
    for (const id of cutWord(vocabulary, encoder.encode(wordStart + word))) {
      // Unknown characters that follow each other are one token.
      if (id === vocabulary.unknown && ids.at(-1) === id) continue;
      if (ids.length === limit) return ids;
      ids.push(id);
    }
  }
  return ids;
}

/** The ids of the best pieces of a word in UTF-8, by the algorithm of Viterbi. */
function cutWord(vocabulary: Vocabulary, word: Uint8Array): number[] {
  const { unknown, unknownScore } = vocabulary;
  const isBoundary = boundariesOf(word);
  // Of the best pieces up to each byte: the sum of their scores, and the id and the start of the last one.
  const sums = new Float32Array(word.length + 1).fill(Number.NEGATIVE_INFINITY);
  const ids = new Int32Array(word.length + 1);
  const starts = new Int32Array(word.length + 1);
  sums[0] = 0;
  for (let start = 0; start < word.length; start = nextBoundary(isBoundary, start)) {
    const sum = sums[start] as number;
    const reach = (id: number, score: number, end: number) => {
      const reached = Math.fround(sum + score);
      if (reached <= (sums[end] as number)) return;
      sums[end] = reached;
      ids[end] = id;
      starts[end] = start;
    };
    vocabulary.match(word, start, isBoundary, (id, end) => reach(id, vocabulary.scoreOf(id), end));
    reach(unknown, unknownScore, nextBoundary(isBoundary, start));
  }
  const best: number[] = [];
  for (let end = word.length; end > 0; end = starts[end] as number) best.push(ids[end] as number);
  return best.reverse();
}

/** A 1 at each offset where a character of UTF-8 ends. */
function boundariesOf(word: Uint8Array): Uint8Array {
  const isBoundary = new Uint8Array(word.length + 1);
  for (let index = 1; index < word.length; index += 1)
    isBoundary[index] = ((word[index] as number) & 0xc0) === 0x80 ? 0 : 1;
  isBoundary[word.length] = 1;
  return isBoundary;
}

function nextBoundary(isBoundary: Uint8Array, from: number): number {
  let next = from + 1;
  while (isBoundary[next] === 0) next += 1;
  return next;
}
