import { type Evidence, evidenceOf } from './language.ts';
import { type AnalyzedWord, analyzeWord, plainKey } from './word-keys.ts';

/** A word of a query. */
export interface QueryWord extends AnalyzedWord {
  /** Its plain key. */
  readonly plain: string;
  /** Its other spellings (`query-spellings.ts`), folded: those of the hyphenated words that it is a part of, too. */
  readonly joined: readonly string[];
  /** Numbers that a month or a large number can be written with, folded. They match less, because a number is one of many things. */
  readonly weaker: readonly string[];
  /** Its evidence for the language of its segment. */
  readonly evidence: Evidence;
}

/** Limit of words of each of the two maps below: together they take less than 8 MiB. */
const maxWords = 8_192;

/** A longer word is a value, which other queries do not repeat. */
const maxCachedCharacters = 32;

/**
 * Words by their text, of all queries of this process: analyzing the words of a question takes a third of the time of its search outside of
 * the database. If `recent` is full, it becomes `older`, whose words are dropped unless a query repeats them. An LRU cache would take as long
 * as analyzing a word again.
 */
let [recent, older] = [new Map<string, QueryWord>(), new Map<string, QueryWord>()];

/** Analyzes a word token; null for a token without letters and digits. */
export function queryWordOf(text: string): QueryWord | null {
  const known = recent.get(text);
  if (known !== undefined) return known;
  if (text.length > maxCachedCharacters) return analyze(text);
  const copy = copyOf(text);
  const word = older.get(copy) ?? analyze(copy);
  if (word !== null) keep(copy, word);
  return word;
}

/** A string of its own: V8 keeps the whole text of which a string of 13 or more characters is a part. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function keep(text: string, word: QueryWord): void {
  if (recent.size === maxWords) [recent, older] = [new Map(), recent];
  recent.set(text, word);
}

function analyze(text: string): QueryWord | null {
  const analyzed = analyzeWord(text);
  if (analyzed === null) return null;
  const { folded, parts } = analyzed;
  return { folded, parts, plain: plainKey(folded), joined: [], weaker: [], evidence: evidenceOf(folded) };
}
