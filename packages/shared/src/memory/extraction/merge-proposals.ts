import type { SourceRef } from '@continuity/contract';
import type { Proposal } from './port.ts';

/**
 * Makes equal proposals of one window one, with the union of their evidence (spec 20 F14). Order is that of the
 * first of them, evidence in order of appearance; the first reason wins. Applying it twice changes nothing.
 */
export function mergeProposals(proposals: readonly Proposal[]): Proposal[] {
  const merged = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const key = contentKey(proposal);
    const first = merged.get(key);
    merged.set(key, {
      ...(first ?? proposal),
      evidence: withoutRepeats([...(first?.evidence ?? []), ...proposal.evidence]),
    });
  }
  return [...merged.values()];
}

function contentKey(proposal: Proposal): string {
  const target = proposal.op === 'revise' ? proposal.entry_id : null;
  return JSON.stringify([proposal.op, target, proposal.kind, proposal.text]);
}

function withoutRepeats(refs: readonly SourceRef[]): SourceRef[] {
  return [...new Map(refs.map((ref) => [JSON.stringify([ref.name, ref.source_id]), ref])).values()];
}
