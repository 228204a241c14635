import { type Citation, citation } from '@continuity/contract';
import type { TenantId } from '@continuity/kernel/database';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import type { DraftRequest, EvidenceContent } from '../../../src/handoff/generation/index.ts';

export const source = (source_id: string): Citation =>
  citation.parse({ kind: 'source', source_ref: { name: 'content', source_id } });

/** Evidence `s1`, `s2` … with these contents. */
export function evidenceOf(...contents: JsonValue[]): EvidenceContent[] {
  return contents.map((content, index) => ({
    citation: source(`s${index + 1}`),
    json: canonicalJson(content),
    record: null,
    isTruncated: false,
  }));
}

export function requestOf(evidence: EvidenceContent[], change: Partial<DraftRequest> = {}): DraftRequest {
  const signal = new AbortController().signal;
  return {
    tenantId: 1 as TenantId,
    objective: 'Return a stable error for an expired cart.',
    evidence,
    maxBytes: 8_000,
    signal,
    ...change,
  };
}
