import { canonicalJson, type JsonValue } from '@continuity/shared/kernel';
import type { SourceObservation } from '../shapes.ts';

/**
 * The parts of an observation as canonical JSON: measured, checked and stored as one text, since large ones take their
 * time.
 */
export interface WrittenObservation {
  payload: string;
  /** Of the projections, in the order in which they were sent. */
  values: string[];
}

export function writeObservation({ payload, projections }: SourceObservation): WrittenObservation {
  return {
    payload: canonicalJson(payload as JsonValue),
    values: projections.map(({ value }) => canonicalJson(value as JsonValue)),
  };
}
