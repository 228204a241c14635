import { type HandoffDraft, handoffDraft } from '@continuity/contract/handoff';
import { findJsonIssues } from '@continuity/kernel/json';
import { brokenDraftRule } from '../draft-rules.ts';
import { type DraftRequest, InvalidDraftError, type InvalidDraftReason, termsOf } from './port.ts';

/** Validates a draft against spec 30 §3.1 and §3.3.2 and returns it. @throws {InvalidDraftError} */
export function checkDraft(draft: HandoffDraft, request: DraftRequest): HandoffDraft {
  const broken = isWellFormed(draft) ? brokenDraftRule(draft, termsOf(request)) : 'output';
  if (broken === undefined) return draft;
  throw new InvalidDraftError(broken, sentences[broken](request));
}

function isWellFormed(draft: HandoffDraft): boolean {
  return handoffDraft.safeParse(draft).success && findJsonIssues(draft).length === 0;
}

const sentences: Record<InvalidDraftReason, (request: DraftRequest) => string> = {
  output: () =>
    'A text was empty or too long, the state was empty or had too many statements, or a complete draft had a next action.',
  objective: () => 'The objective was changed.',
  evidence: () => 'A statement cited nothing, or an unknown number.',
  budget: ({ maxBytes }) =>
    `The draft was larger than ${maxBytes} bytes. Write fewer and shorter statements.`,
};
