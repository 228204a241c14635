import { type HandoffDraft, type HandoffOmission, maxOmissions } from '@continuity/contract/handoff';
import { contentBytes, contentOfDraft } from '../content.ts';
import type { DraftRequest } from './port.ts';

/** Adds omissions to a draft in order, skipping those that exceed its limits. */
export function addOmissions(
  draft: HandoffDraft,
  { maxBytes }: Pick<DraftRequest, 'maxBytes'>,
  added: HandoffOmission[],
): HandoffDraft {
  let omissions = draft.omissions;
  for (const omission of added) {
    const longer = [...omissions, omission];
    const bytes = contentBytes(contentOfDraft({ ...draft, omissions: longer }));
    if (longer.length <= maxOmissions && bytes <= maxBytes) omissions = longer;
  }
  return { ...draft, omissions };
}
