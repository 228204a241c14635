import { truncateMarkRuns } from '@continuity/kernel/text';
import { stripTerminalControls } from './terminal-controls.ts';

/**
 * A token (spec 20 S6): a run of letters, digits and `_`; a run of Han, Kana and Hangul; a word that the dictionary
 * segments from Thai, Lao, Khmer or Burmese; an emoji. Everything else separates tokens. The names of a few programming languages
 * are words although they hold other characters. Words that hyphens join are tokens each, and all together one more; so are words that
 * dots join, such as `package.json`.
 */
export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'hyphenated'; readonly parts: readonly string[] }
  | { readonly kind: 'dotted'; readonly text: string }
  | { readonly kind: 'cjk'; readonly characters: readonly string[] }
  | { readonly kind: 'emoji'; readonly text: string };

const ascii = /^[\0-\x7f]*$/;
const asciiWord =
  /(?<![A-Za-z0-9_])(?:[A-Za-z]#|[Cc]\+\+|\.(?:NET|Net|net)(?![A-Za-z0-9_]))|\.NET(?![A-Za-z0-9_])|[A-Za-z0-9_]+/g;

// Matched before NFKC, which decomposes SARA AM and turns ™ and ㊙ into letters. The first characters are tested before
// \p{RGI_Emoji}, which is a list of sequences and takes 20 times as long.
const beforeNfkc =
  /(?<emoji>(?=[\p{Emoji}--[#*0-9]]|[#*0-9]\uFE0F)\p{RGI_Emoji}|[\p{Extended_Pictographic}--\p{P}]\uFE0F?)|(?<unspaced>[[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]+)/gv;

const wordOrRun =
  /(?<![\p{L}\p{M}\p{N}_])(?:[A-Za-z]#|[Cc]\+\+|\.(?:NET|Net|net)(?![\p{L}\p{N}_]))|\.NET(?![\p{L}\p{N}_])|(?<cjk>[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}]]+)|[[\p{L}\p{N}_]--[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]][[\p{L}\p{M}\p{N}_]--[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]]*/gv;

// Invisible inside a word: soft hyphen, joiners, direction marks, variation selectors.
const invisible =
  /[\xAD\u061C\u180E\u200C-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|\u034F|\p{Variation_Selector}/gu;
const emojiStyle = /[\uFE0F\u{1F3FB}-\u{1F3FF}]/gu;
const letterOrDigit = /[\p{L}\p{N}]/u;

const hyphen = /[-\u2010\u2011\u00AD]/;
const onlyLetters = /^[\p{L}\p{M}]+$/u;

/** Limit of parts of a hyphenated word: a longer one is a path or a sentence. */
const maxHyphenated = 3;

/** Limit of parts of a dotted name: one with more is a sentence without spaces, or data. */
const maxDotted = 4;

/** Least length of a part that is tokenized at once, in characters. */
const partLength = 4_096;

/** Loaded at its first use, because it takes 10 ms of the start of every process. */
let dictionary: Intl.Segmenter | undefined;

/** Tokenizes any string, in order. Keeps case, normalizes compatibility forms (NFKC), and removes control sequences of terminals. */
export function tokenize(raw: string): Iterable<Token> {
  const text = stripTerminalControls(raw);
  return ascii.test(text) ? wordsOf(text, text.matchAll(asciiWord)) : tokenizeParts(text);
}

function* tokenizeParts(text: string): Generator<Token> {
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
  yield* wordsOf(compatible, compatible.matchAll(wordOrRun));
}

/** The tokens of matches in a text, and those that join them. */
function* wordsOf(text: string, matches: Iterable<RegExpExecArray>): Generator<Token> {
  let parts: string[] = [];
  let dotted: string[] = [];
  let end = -1;
  for (const match of matches) {
    const [word] = match;
    if (match.groups?.['cjk'] !== undefined) {
      yield { kind: 'cjk', characters: [...word] };
      continue;
    }
    const isNext = match.index === end + 1 && hyphen.test(text.charAt(end));
    if (!isNext) {
      // Without the test, the generators of single words would take longer than their search.
      if (parts.length > 1) yield* joinedOf(parts);
      parts = [];
    }
    parts.push(word);
    if (match.index !== end + 1 || text.charAt(end) !== '.') {
      if (dotted.length > 1) yield* dottedOf(dotted);
      dotted = [];
    }
    dotted.push(word);
    end = match.index + word.length;
    yield { kind: 'word', text: word };
  }
  yield* joinedOf(parts);
  yield* dottedOf(dotted);
}

function* dottedOf(parts: readonly string[]): Generator<Token> {
  if (parts.length > 1 && parts.length <= maxDotted) yield { kind: 'dotted', text: parts.join('.') };
}

function* joinedOf(parts: readonly string[]): Generator<Token> {
  const isJoined =
    parts.length > 1 && parts.length <= maxHyphenated && parts.every((part) => onlyLetters.test(part));
  if (isJoined) yield { kind: 'hyphenated', parts };
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
