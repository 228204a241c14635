import { isBlank } from '@continuity/contract/text';
import type { JsonValue } from '@continuity/kernel/json';
import { normalizeText } from '@continuity/kernel/text';
import { contentKey } from '../../equality.ts';
import type { ExtractedRecordKind, ExtractionProfile, LeftOutCounts } from '../port.ts';
import { type CutText, cutAtWord } from './cut.ts';
import { type JudgedStatement, judgeDeclared, judgeUnit } from './judge.ts';
import type { KnownKind } from './kinds.ts';
import { recordTexts } from './record-texts.ts';
import { sourceTexts } from './source-text.ts';
import { type Unit, unitsOf } from './units.ts';

/** Limits of spec 20 X4 and X5. */
const maxStatements = 200;
const maxStatementBytes = 2000;
const maxPlainFacts = 5;

/** Limit of the beginning of the first text, in characters. */
const maxBeginning = 4_000;

/** A statement that becomes an entry. */
export interface Statement {
  kind: KnownKind;
  text: string;
}

/** Evidence to find statements in. */
export interface EvidenceText {
  /** JSON of a text, or any JSON for observations and records. */
  json: string;
  /** Kind of a work record; null for any other Source. */
  record: ExtractedRecordKind | null;
}

export interface FoundStatements {
  /** At most 200, in order. */
  statements: Statement[];
  /** What the Source has beyond them (spec 25 Q13). */
  leftOut: LeftOutCounts;
  /** Beginning of the first text that is not blank, or of the JSON without one; at most 4,000 characters. */
  beginning: string;
}

/** Finds the statements of a text, JSON or a work record (spec 20 X1 to X5). Linear: prose of 1 MiB takes about 2 s. */
export function findStatements({ json, record }: EvidenceText, profile: ExtractionProfile): FoundStatements {
  const content = JSON.parse(json) as JsonValue;
  const { texts, credentials } = sourceTexts(content);
  const selection = new Selection();
  selection.leftOut.credential += record === null ? credentials : 0;
  if (record === null) selectUnits(selection, texts.flatMap(unitsOf), profile);
  else selectDeclared(selection, record, content);
  const beginning = (texts.find(({ text }) => !isBlank(text))?.text ?? json).slice(0, maxBeginning);
  return { statements: [...selection.statements.values()], leftOut: selection.leftOut, beginning };
}

/**
 * Selects the statements of a work record (spec 20 X1, X5). The fields of the record give the kinds, so the cues and minimum lengths
 * of spec 20 X4 do not apply. Its exclusions do, such as credentials and questions.
 */
function selectDeclared(selection: Selection, record: ExtractedRecordKind, content: JsonValue): void {
  for (const { kind, text } of recordTexts(record, content)) {
    for (const unit of unitsOf({ text, speaker: null })) {
      const cut = cutAtWord(unit.text, maxStatementBytes);
      selection.take(judgeDeclared(normalizeText(cut.text), kind), cut);
    }
  }
}

/** Selects the statements of one Source by its profile, in order (spec 20 X4, X5). */
function selectUnits(selection: Selection, units: readonly Unit[], profile: ExtractionProfile): void {
  const mayBeShort = units.length === 1;
  for (const unit of units) {
    const cut = cutAtWord(unit.text, maxStatementBytes);
    selection.take(judgeUnit({ ...unit, text: normalizeText(cut.text) }, profile, mayBeShort), cut);
  }
}

/** The selected statements of one Source, and counts of the others. */
class Selection {
  readonly statements = new Map<string, Statement>();
  readonly leftOut: LeftOutCounts = { limit: 0, too_long: 0, credential: 0 };
  readonly #beyond = new Set<string>();
  #plainFacts = 0;

  take(judged: JudgedStatement | 'credential' | null, { isCut }: CutText): void {
    if (judged === null) return;
    if (judged === 'credential') {
      this.leftOut.credential += 1;
      return;
    }
    const { kind, text, isPlain } = judged;
    const key = contentKey({ kind, text });
    if (this.statements.has(key) || this.#beyond.has(key)) return;
    if (isPlain) this.#plainFacts += 1;
    if (this.statements.size >= maxStatements || (isPlain && this.#plainFacts > maxPlainFacts)) {
      this.leftOut.limit += 1;
      if (this.#beyond.size < maxRemembered) this.#beyond.add(key);
      return;
    }
    this.statements.set(key, { kind, text });
    if (isCut) this.leftOut.too_long += 1;
  }
}

/** Statements beyond the limit that are remembered, so that a repeated one counts once. Bounds the memory. */
const maxRemembered = 10_000;
