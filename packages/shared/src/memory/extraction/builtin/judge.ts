import { normalizeText } from '@continuity/kernel/text';
import type { ExtractionProfile } from '../port.ts';
import { hasCredentialOrMask } from './credential-mask.ts';
import { isLongEnough } from './cut.ts';
import { isGreeting, isNarration, isQuestion, isSmallTalk } from './declarative.ts';
import { deniesStatement } from './hedges.ts';
import { cuedKind, type KnownKind } from './kinds.ts';
import { isPrivate } from './private-life.ts';
import { countCjk, countUnspaced } from './scripts.ts';
import { kindOfLabel } from './sections.ts';
import { isTerse } from './terse.ts';
import type { Unit } from './units.ts';
import { isConcrete } from './work-words.ts';

/** A unit that is a statement. */
export interface JudgedStatement {
  kind: KnownKind;
  text: string;
  /** True for a fact without a word of work, a number or a name. Only the first of a Source are kept under `coding` (spec 20 X4). */
  isPlain: boolean;
}

/**
 * Judges a unit of a Source (spec 20 X3, X4; spec 25 Q15). Null for one that is no statement.
 *
 * @param mayBeShort true for the only unit of a Source
 */
export function judgeUnit(
  unit: Unit,
  profile: ExtractionProfile,
  mayBeShort: boolean,
): JudgedStatement | 'credential' | null {
  const { text, speaker, open } = unit;
  if (hasCredentialOrMask(text)) return 'credential';
  const named = unit.kind ?? kindOfLabel(text);
  const kind = named ?? cuedKind(text) ?? (open ? 'working_note' : 'fact');
  if (!isDeclared(text, named, kind) || isOneWord(text)) return null;
  if (named === null && !matters(text, kind, profile, mayBeShort)) return null;
  const spoken = profile === 'conversation' && speaker !== null ? `${normalizeText(speaker)}: ${text}` : text;
  const isPlain = profile === 'coding' && kind === 'fact' && named === null && !isConcrete(text);
  return { kind, text: spoken, isPlain };
}

/** Judges a unit of a work record, whose field gives the kind. */
export function judgeDeclared(text: string, kind: KnownKind): JudgedStatement | 'credential' | null {
  if (hasCredentialOrMask(text)) return 'credential';
  if (isQuestion(text)) return null;
  if (kind === 'fact' && (isGreeting(text) || deniesStatement(text, 'fact', 'conversation'))) return null;
  return { kind, text, isPlain: false };
}

/** Whether a unit states something. A question is open work where its list says so. */
function isDeclared(text: string, named: KnownKind | null, kind: KnownKind): boolean {
  if (isQuestion(text)) return named === 'working_note';
  return kind !== 'fact' || !isGreeting(text);
}

/** Whether a unit without a named kind is worth an entry. */
function matters(text: string, kind: KnownKind, profile: ExtractionProfile, mayBeShort: boolean): boolean {
  if (deniesStatement(text, kind, profile)) return false;
  const isLong = mayBeShort || isLongEnough(text, profile) || isTerse(text);
  if (profile === 'conversation') return isLong;
  if (kind === 'fact') return isLong && !isSmallTalk(text) && !isNarration(text) && !isPrivate(text, kind);
  return !isPrivate(text, kind) && !(kind === 'working_note' && isNarration(text));
}

/** Longest word of a statement that is nothing else, in characters. */
const maxWord = 200;

/** Whether a text is one long run of characters, such as an encoded file. */
function isOneWord(text: string): boolean {
  return text.length > maxWord && !/\s/.test(text) && countCjk(text) + countUnspaced(text) < maxWord / 2;
}
