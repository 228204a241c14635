import type { SourceRef } from '@continuity/contract';
import type { Proposal } from './port.ts';

/**
 * Merges equal proposals of one window and their evidence (spec 20 F14). Keeps the order and the reason of the first proposal,
 * and evidence in order of appearance. Idempotent.
 */
export function mergeProposals(proposals: readonly Proposal[]): Proposal[] {
  const merged = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const key = proposalKey(proposal);
    const first = merged.get(key);
    merged.set(key, {
      ...(first ?? proposal),
      evidence: distinctRefs([...(first?.evidence ?? []), ...proposal.evidence]),
    });
  }
  return [...merged.values()];
}

function proposalKey(proposal: Proposal): string {
  const target = proposal.op === 'revise' ? proposal.entry_id : [proposal.holds_from, proposal.holds_until];
  return JSON.stringify([proposal.op, target, proposal.kind, proposal.text]);
}

function distinctRefs(refs: readonly SourceRef[]): SourceRef[] {
  return [...new Map(refs.map((ref) => [JSON.stringify([ref.name, ref.source_id]), ref])).values()];
}
