import type { Citation } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import type { HandoffDraft } from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';
import { directCitations, statementsOf } from './citations.ts';
import { contentBytes, contentOfDraft } from './content.ts';

/** Whether an objective alone fits `maxBytes` (spec 30 §8.6). */
export function objectiveFits(objective: string, maxBytes: number): boolean {
  return utf8Length(canonicalJson(objective)) <= maxBytes;
}

/** Constraints on a generated draft. */
export interface DraftTerms {
  objective: string;
  /** The Citations that the draft may contain. */
  evidence: Citation[];
  maxBytes: number;
}

/** The rule of spec 30 §3.3.2 that a generated draft breaks, named as in `details.reason`; undefined for a valid draft. */
export function brokenDraftRule(
  draft: HandoffDraft,
  { objective, evidence, maxBytes }: DraftTerms,
): 'output' | 'objective' | 'evidence' | 'budget' | undefined {
  if (draft.objective !== objective) return 'objective';
  if (draft.disposition === 'complete' && draft.next_action !== null) return 'output';
  const given = new Set(evidence.map(citationKey));
  const omitted = draft.omissions.flatMap(({ citation }) => (citation === null ? [] : [citation]));
  const cited = [...directCitations(draft), ...omitted];
  if (cited.some((citation) => !given.has(citationKey(citation)))) return 'evidence';
  if (statementsOf(draft).some(({ citations }) => citations.length === 0)) return 'evidence';
  return contentBytes(contentOfDraft(draft)) <= maxBytes ? undefined : 'budget';
}
