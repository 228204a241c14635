import { type HandoffDraft, type HandoffOmission, maxOmissions } from '@continuity/contract/handoff';
import { contentBytes, contentOfDraft } from '../content-rules.ts';
import type { DraftRequest } from './port.ts';

/** The draft with as many of these omissions as its bounds let in, the first ones first. */
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
