import type { SourceRef } from '@continuity/contract';
import { maxEvidenceRefs } from '@continuity/contract/memory';
import { canonicalJson } from '@continuity/kernel/json';

/** Reason of a revise that only adds evidence (spec 20 F15). */
export const evidenceReason = 'evidence';

/**
 * Merges `added` (in order of position) into the evidence of the previous version: at most 32 distinct references, sorted by the
 * bytes of their canonical JSON (spec 20 M12). Returns null if nothing is new.
 */
export function addEvidence(before: SourceRef[] | null, added: SourceRef[]): SourceRef[] | null {
  const merged = new Map((before ?? []).map((ref) => [canonicalJson(ref), ref]));
  const sizeBefore = merged.size;
  for (const ref of added) {
    const key = canonicalJson(ref);
    if (merged.size < maxEvidenceRefs && !merged.has(key)) merged.set(key, ref);
  }
  if (merged.size === sizeBefore) return null;
  const sorted = [...merged].sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return sorted.map(([, ref]) => ref);
}
