import { isBlank } from '@continuity/contract/text';
import type { JsonValue } from '@continuity/kernel/json';
import { normalizeText } from '@continuity/kernel/text';
import { contentKey } from '../../equality.ts';
import type { ExtractedRecordKind, ExtractionProfile } from '../port.ts';
import { splitAtClauses } from './clauses.ts';
import { hasCredential } from './credentials.ts';
import { isQuestion, isSmallTalk, isSpeculation } from './declarative.ts';
import { cuedKind, type KnownKind } from './kinds.ts';
import { isLongEnough } from './length.ts';
import { type RecordText, recordTexts } from './record-texts.ts';
import { sourceTexts } from './source-text.ts';
import { type Unit, unitsOf } from './units.ts';

/** Limits of spec 20 X4 and X5. */
const maxEntries = 20;
const maxUnitBytes = 2000;
const maxCodingFacts = 5;

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
  /** At most 20, in order. */
  statements: Statement[];
  /** Beginning of the first text that is not blank, or of the JSON without one; at most 4,000 characters. */
  beginning: string;
}

/** Finds the statements of a text, JSON or a work record (spec 20 X1 to X5). A text of 1 MiB takes up to 3 s. */
export function findStatements({ json, record }: EvidenceText, profile: ExtractionProfile): FoundStatements {
  const content = JSON.parse(json) as JsonValue;
  const texts = sourceTexts(content);
  const statements =
    record === null
      ? selectStatements(texts.flatMap(unitsOf), profile)
      : declaredStatements(recordTexts(record, content));
  const beginning = (texts.find((text) => !isBlank(text)) ?? json).slice(0, maxBeginning);
  return { statements, beginning };
}

/**
 * Extracts at most 20 statements from the texts of a work record (spec 20 X1, X5). The fields of the record give the kinds, so the
 * cues and minimum lengths of spec 20 X4 do not apply. Its exclusions do, such as credentials and questions.
 */
function declaredStatements(texts: readonly RecordText[]): Statement[] {
  const selected = new Map<string, Statement>();
  for (const { kind, text } of texts) {
    for (const unit of unitsOf(text).flatMap(splitUnit)) {
      const statement = { kind, text: normalizeText(unit.text) };
      if (isStatement(statement.text, kind)) selected.set(contentKey(statement), statement);
      if (selected.size === maxEntries) return [...selected.values()];
    }
  }
  return [...selected.values()];
}

/** Selects at most 20 statements of one Source by its profile, in order (spec 20 X4, X5). */
function selectStatements(units: readonly Unit[], profile: ExtractionProfile): Statement[] {
  const mayBeShort = units.length === 1;
  const selected = new Map<string, Statement>();
  let facts = 0;
  for (const unit of units.flatMap(splitUnit)) {
    const statement = statementOf(unit, profile, mayBeShort);
    if (statement === null || selected.has(contentKey(statement))) continue;
    if (statement.kind === 'fact') facts += 1;
    if (statement.kind === 'fact' && profile === 'coding' && facts > maxCodingFacts) continue;
    selected.set(contentKey(statement), statement);
    if (selected.size === maxEntries) break;
  }
  return [...selected.values()];
}

function statementOf(unit: Unit, profile: ExtractionProfile, mayBeShort: boolean): Statement | null {
  const text = normalizeText(unit.text);
  const kind = kindOf(text, unit.open);
  if (!isStatement(text, kind) || !(mayBeShort || mayBeStatement(text, kind, profile))) return null;
  const named = profile === 'conversation' && unit.speaker !== null;
  return { kind, text: normalizeText(named ? `${unit.speaker}: ${text}` : text) };
}

function splitUnit(unit: Unit): Unit[] {
  return splitAtClauses(unit.text, maxUnitBytes).map((text) => ({ ...unit, text }));
}

function kindOf(text: string, open: boolean): KnownKind {
  return cuedKind(text) ?? (open ? 'working_note' : 'fact');
}

function isStatement(text: string, kind: KnownKind): boolean {
  if (hasCredential(text) || isQuestion(text)) return false;
  return kind !== 'fact' || !(isSmallTalk(text) || isSpeculation(text));
}

function mayBeStatement(text: string, kind: KnownKind, profile: ExtractionProfile): boolean {
  return (profile === 'coding' && kind !== 'fact') || isLongEnough(text, profile);
}
