import { trimWhite } from '@continuity/contract';
import { runAtOnce, type Steps } from '@continuity/kernel/fairness';
import { normalizeText } from '@continuity/kernel/text';
import type { Block } from './block.ts';
import { splitBlocks } from './blocks.ts';
import type { SourceText } from './chat.ts';
import { blankOutCode, blankOutTraces, isLogLine } from './code.ts';
import { credentialMark, hasCredentialOrMask, maskCredentials } from './credential-mask.ts';
import { isLongEnough } from './cut.ts';
import type { KnownKind } from './kinds.ts';
import { wrappedWidth } from './line-forms.ts';
import { canJoinWithoutSpace } from './scripts.ts';
import { hasSentenceEnd, splitSentences } from './sentences.ts';
import { readTranscript } from './transcripts.ts';

/** One list item or sentence, without its list mark and its speaker. */
export interface Unit {
  text: string;
  speaker: string | null;
  /** True for an item with an unticked check box. */
  open: boolean;
  /** Kind that a heading or lead-in names; null without one. */
  kind: KnownKind | null;
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const urlPattern = /^(?:https?|ftp|ssh|git|file):\/\//i;
const leadsIn = /[:\uFF1A][*_]*$/;
const wordPattern = /[\p{L}\p{N}]/u;
const wordOrMark = new RegExp(`[\\p{L}\\p{N}${credentialMark}]`, 'u');

/**
 * Splits a text into units (spec 20 X2): list items, and the sentences of paragraphs. Omits code, stack traces, log lines, bare
 * URLs, headings and lead-ins that end with a colon. Masks credentials before it splits. The caller normalizes the selected units:
 * hostile combining marks make the normalization of a whole Source slow.
 */
export function unitsOf(source: SourceText): Unit[] {
  return runAtOnce(unitsInSteps(source));
}

function* unitsInSteps({ text, speaker }: SourceText): Steps<Unit[]> {
  const masked = maskCredentials(text);
  yield;
  const transcript = readTranscript(dedented(masked.split(lineEnd)));
  yield;
  const lines = blankOutCode(transcript);
  yield;
  const shown = blankOutTraces(lines).map((line) => (isLogLine(line) || isBareUrl(line) ? '' : line));
  yield;
  const units: Unit[] = [];
  for (const block of yield* splitBlocks(shown)) {
    for (const unit of unitsOfBlock(block)) units.push(unit);
    yield;
  }
  return speaker === null ? units : units.map((unit) => ({ ...unit, speaker: unit.speaker ?? speaker }));
}

function unitsOfBlock({ form, lines, speaker, open, kind, isKindOfFirst }: Block): Unit[] {
  const texts = form === 'item' ? [joinLines(lines)] : unwrapLines(lines).flatMap(splitSentences);
  return texts
    .map(trimWhite)
    .filter((text) => wordOrMark.test(text) && !isBareUrl(text) && !leadsIn.test(text))
    .map((text, at) => ({ text, speaker, open, kind: isKindOfFirst && at > 0 ? null : kind }));
}

function isBareUrl(text: string): boolean {
  const words = text.split(/[\s<>()]+/).filter((word) => wordPattern.test(word));
  return words.length > 0 && words.every((word) => urlPattern.test(word));
}

/** Removes the common indentation, so that text pasted from code is not a code block. */
function dedented(lines: string[]): string[] {
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const indent = line.search(/\S/);
    if (indent !== -1) common = Math.min(common, indent);
  }
  return lines.map((line) => line.slice(common));
}

/** A line of a chat or a setting whose name has no capital: `tom: …`. */
const lowerLabel = /^\p{Ll}[\p{L}\p{N}._-]{0,30}: \S/u;

/**
 * Joins wrapped lines. If the last line of a paragraph ends with a sentence mark, only sentence marks end statements. Otherwise each
 * line is a statement, unless it is clearly wrapped.
 */
function unwrapLines(lines: readonly string[]): string[] {
  const last = lines.at(-1) ?? '';
  if (hasSentenceEnd(last)) return [joinLines(lines)];
  const runs: string[][] = [];
  let before = '';
  for (const line of lines) {
    const isBegun = runs.length > 0 && !lowerLabel.test(line);
    const goesOn = isBegun && (/^\p{Ll}/u.test(line) || before.length >= wrappedWidth);
    if (goesOn && !hasSentenceEnd(before)) runs.at(-1)?.push(line);
    else runs.push([line]);
    before = line;
  }
  return runs.map(joinLines);
}

function joinLines(lines: readonly string[]): string {
  const parts: string[] = [];
  let before = '';
  for (const line of lines) {
    if (before !== '' && !canJoinWithoutSpace(before.at(-1) ?? '', line.charAt(0))) parts.push(' ');
    parts.push(line);
    before = line;
  }
  return parts.join('');
}

/**
 * Returns the list items and sentences of a text, in order and without the names of speakers. Each has at least 3 words or 4 CJK
 * characters (spec 20 X2, X4). Excludes headings, code, logs, bare URLs and credentials.
 */
export function* plainSentences(text: string): Steps<string[]> {
  const sentences: string[] = [];
  for (const unit of yield* unitsInSteps({ text, speaker: null })) {
    const sentence = normalizeText(unit.text);
    if (isLongEnough(sentence, 'conversation') && !hasCredentialOrMask(sentence)) sentences.push(sentence);
    yield;
  }
  return sentences;
}
