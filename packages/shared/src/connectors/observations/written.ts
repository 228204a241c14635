import type { SourceObservation } from '@continuity/contract/connectors';
import { canonicalJsonWithin, type JsonValue } from '@continuity/shared/kernel';
import { maxContentBytes } from '../../sources/index.ts';

/**
 * The parts of an observation as canonical JSON: measured, checked and stored as one text, since large ones take their
 * time. Empty, as no JSON is, where a part is over its bound.
 */
export interface WrittenObservation {
  payload: string;
  /** Of the projections, in the order in which they were sent. */
  values: string[];
}

export function writeObservation({ payload, projections }: SourceObservation): WrittenObservation {
  return {
    payload: write(payload as JsonValue),
    values: projections.map(({ value }) => write(value as JsonValue)),
  };
}

function write(part: JsonValue): string {
  return canonicalJsonWithin(part, maxContentBytes) ?? '';
}
