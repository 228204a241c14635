import { truncateMarkRuns } from '@continuity/kernel/text';

/**
 * A token (spec 20 S6): a run of letters, digits and `_`; a run of Han, Kana and Hangul; a word that the dictionary
 * segments from Thai, Lao, Khmer or Burmese; an emoji. Everything else separates tokens.
 */
export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'cjk'; readonly characters: readonly string[] }
  | { readonly kind: 'emoji'; readonly text: string };

const ascii = /^[\0-\x7f]*$/;
const asciiWord = /[A-Za-z0-9_]+/g;

// Matched before NFKC, which decomposes SARA AM and turns ™ and ㊙ into letters. The first characters are tested before
// \p{RGI_Emoji}, which is a list of sequences and takes 20 times as long.
const beforeNfkc =
  /(?<emoji>(?=[\p{Emoji}--[#*0-9]]|[#*0-9]\uFE0F)\p{RGI_Emoji}|[\p{Extended_Pictographic}--\p{P}]\uFE0F?)|(?<unspaced>[[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]+)/gv;

const wordOrRun =
  /(?<cjk>[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}]]+)|[[\p{L}\p{N}_]--[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]][[\p{L}\p{M}\p{N}_]--[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]]*/gv;

// Invisible inside a word: soft hyphen, joiners, direction marks, variation selectors.
const invisible =
  /[\xAD\u061C\u180E\u200C-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|\u034F|\p{Variation_Selector}/gu;
const emojiStyle = /[\uFE0F\u{1F3FB}-\u{1F3FF}]/gu;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Least length of a part that is tokenized at once, in characters. */
const partLength = 4_096;

/** Loaded at its first use, because it takes 10 ms of the start of every process. */
let dictionary: Intl.Segmenter | undefined;

/** Tokenizes any string, in order. Keeps case, and normalizes compatibility forms (NFKC). */
export function* tokenize(text: string): Generator<Token> {
  if (ascii.test(text)) {
    for (const [word] of text.matchAll(asciiWord)) yield { kind: 'word', text: word };
    return;
  }
  for (const part of splitParts(text)) yield* tokenizePart(part);
}

/**
 * Splits a text before a space or line feed into parts of at least 4,096 characters, so that no token and no normalization spans
 * two. The expressions below search a whole part at once, and a long text would block the event loop.
 */
function* splitParts(text: string): Generator<string> {
  let start = 0;
  for (;;) {
    const length = text.slice(start + partLength).search(/[ \n]/);
    if (length === -1) break;
    yield text.slice(start, start + partLength + length);
    start += partLength + length;
  }
  yield text.slice(start);
}

function* tokenizePart(text: string): Generator<Token> {
  const composed = truncateMarkRuns(text).normalize('NFC');
  let end = 0;
  for (const match of composed.matchAll(beforeNfkc)) {
    yield* tokenizeWords(composed.slice(end, match.index));
    end = match.index + match[0].length;
    if (match.groups?.['emoji'] === undefined) yield* segmentByDictionary(match[0]);
    else yield { kind: 'emoji', text: plainEmoji(match[0]) };
  }
  yield* tokenizeWords(composed.slice(end));
}

function* tokenizeWords(text: string): Generator<Token> {
  const compatible = text.replace(invisible, '').normalize('NFKC');
  for (const match of compatible.matchAll(wordOrRun)) {
    if (match.groups?.['cjk'] === undefined) yield { kind: 'word', text: match[0] };
    else yield { kind: 'cjk', characters: [...match[0]] };
  }
}

function* segmentByDictionary(run: string): Generator<Token> {
  // SARA AM (Thai) and AM (Lao) have two encodings, and the dictionary knows one of them.
  const joined = run.replaceAll('\u0E4D\u0E32', '\u0E33').replaceAll('\u0ECD\u0EB2', '\u0EB3');
  dictionary ??= new Intl.Segmenter('th', { granularity: 'word' });
  for (const { segment } of dictionary.segment(joined)) {
    if (letterOrDigit.test(segment)) yield { kind: 'word', text: segment.normalize('NFKC') };
  }
}

/** An emoji without presentation and skin tone, so that 👍 finds 👍🏽. A tone by itself stays. */
function plainEmoji(emoji: string): string {
  return emoji.replace(emojiStyle, '') || emoji;
}
