import { isJsonObject, type JsonValue } from '@continuity/kernel/json';
import type { ExtractedRecordKind } from '../port.ts';
import type { KnownKind } from './kinds.ts';

/** A text of a work record, with the kind of its field. */
export interface RecordText {
  kind: KnownKind;
  text: string;
}

/** Fields of each record to extract, in order (spec 20 X1). */
const places: Record<ExtractedRecordKind, readonly [field: string, kind: KnownKind][]> = {
  'work-contract': [
    ['facts', 'fact'],
    ['exclusions', 'constraint'],
    ['authorization_notes', 'constraint'],
  ],
  'handoff-boundary': [
    ['state', 'working_note'],
    ['next_action', 'working_note'],
  ],
  'task-outcome': [
    ['summary', 'fact'],
    ['observations', 'fact'],
    ['remaining_work', 'working_note'],
  ],
};

/** The texts of a work record to extract, in order. */
export function recordTexts(record: ExtractedRecordKind, content: JsonValue): RecordText[] {
  const fields = isJsonObject(content) ? content : {};
  return places[record].flatMap(([field, kind]) =>
    textsOf(fields[field] ?? null).map((text) => ({ kind, text })),
  );
}

/** A text, a claim, or a list of either. */
function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) && typeof value['text'] === 'string' ? [value['text']] : [];
}
