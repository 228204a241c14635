import { runAtOnce, type Steps } from '@continuity/kernel/fairness';
import { foldCase } from './fold.ts';
import { hashKeys } from './hash-ids.ts';
import { chooseLanguage, weighLanguages } from './language.ts';
import type { LatinLanguage } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';
import { type Token, tokenize } from './tokenize.ts';
import {
  type AnalyzedWord,
  analyzeWord,
  compoundKey,
  dottedKey,
  hasLanguageKey,
  languageKeys,
  otherKeys,
  partKeys,
  plainKey,
  splitWord,
} from './word-keys.ts';

/** Largest term frequency: more repetitions do not change BM25 measurably. */
const maxFrequency = 255;

/** Characters of a run that are counted in one step. */
const charactersOfStep = 1_024;

/** Largest document length: it fits a small integer. */
const maxLength = 32_767;

/** The analysis of a text for the index. */
export interface AnalyzedText {
  /** Index key → how often it occurs, 1 to 255. */
  readonly terms: Map<string, number>;
  /**
   * Document length for BM25: words (stop words too; an identifier is one), emoji, and characters of Han, Kana and
   * Hangul; at most 32767.
   */
  readonly length: number;
}

/**
 * Analyzes a text for the index in steps (`analyzer.v2`, spec 20 S6, spec 25 Q7). Takes any string and depends on nothing else. Stop words
 * are indexed, because a query that consists of them has to find them (spec 20 S7).
 */
export function* analyzeSteps(text: string): Steps<AnalyzedText> {
  const terms = new Map<string, number>();
  const words = new Map<string, number>();
  let length = 0;
  for (const token of tokenize(text)) {
    length += lengthOf(token);
    if (token.kind === 'hyphenated') count(terms, plainKey(foldCase(token.parts.join(''))), 1);
    else if (token.kind === 'dotted') count(terms, dottedKey(token.text), 1);
    else if (token.kind === 'word') words.set(token.text, (words.get(token.text) ?? 0) + 1);
    else if (token.kind === 'emoji') count(terms, token.text, 1);
    else yield* countRun(terms, token.characters);
    yield;
  }
  yield* countWords(terms, words);
  return { terms, length: Math.min(length, maxLength) };
}

/** As `analyzeSteps`, without a pause: for a text of a few kilobytes. */
export function analyzeAtOnce(text: string): AnalyzedText {
  return runAtOnce(analyzeSteps(text));
}

function lengthOf(token: Token): number {
  if (token.kind === 'hyphenated' || token.kind === 'dotted') return 0;
  return token.kind === 'cjk' ? token.characters.length : 1;
}

function* countRun(terms: Map<string, number>, characters: readonly string[]): Steps<void> {
  let previous = '';
  for (const [index, character] of characters.entries()) {
    if (index % charactersOfStep === 0) yield;
    count(terms, character, 1);
    if (previous !== '') count(terms, previous + character, 1);
    previous = character;
  }
}

function* countWords(terms: Map<string, number>, words: ReadonlyMap<string, number>): Steps<void> {
  const analyzed: [AnalyzedWord, number][] = [];
  for (const [text, times] of words) {
    const word = analyzeWord(text);
    if (word !== null) analyzed.push([word, times]);
    yield;
  }
  const language = chooseLanguage(weighLanguages(analyzed.map(([word]) => word.folded)));
  for (const [word, times] of analyzed) {
    for (const key of textKeys(word, language)) count(terms, key, times);
    yield;
  }
}

function textKeys({ folded, parts }: AnalyzedWord, language: LatinLanguage): Set<string> {
  const keys = new Set([plainKey(folded), ...partKeys(parts), ...hashKeys(folded), ...otherKeys(folded)]);
  if (parts.length === 0 && hasLanguageKey(folded, language) && !stopWordsOf(language).has(folded)) {
    for (const key of languageKeys(folded, language)) keys.add(key);
  }
  // A German text without any function word is detected as English.
  if (parts.length === 0 && (language === 'de' || language === 'en')) {
    const compound = splitWord(folded, language);
    for (const part of compound?.modifiers ?? []) keys.add(compoundKey(part));
    for (const part of compound?.heads ?? []) keys.add(compoundKey(part));
  }
  return keys;
}

function count(terms: Map<string, number>, key: string, times: number): void {
  terms.set(key, Math.min((terms.get(key) ?? 0) + times, maxFrequency));
}
