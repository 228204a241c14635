import type { Citation } from '@continuity/contract';
import { disposition, type HandoffDraft, type HandoffStatement } from '@continuity/contract/handoff';
import { z } from 'zod';
import { type DraftRequest, InvalidDraftError } from '../port.ts';

const statement = z.strictObject({ text: z.string(), evidence: z.array(z.number()) });

/**
 * Schema of the model's answer. All fields are required and without limits, because some endpoints reject others; `checkDraft`
 * checks the limits. It has no objective and no Citations, so the model cannot change them.
 */
export const answerSchema = z.strictObject({
  state: z.array(statement),
  disposition,
  next_action: statement.nullable(),
  omissions: z.array(z.strictObject({ text: z.string(), evidence: z.number().nullable() })),
});

type Answer = z.infer<typeof answerSchema>;

/** Replaces the numbers of the answer by their Citations. @throws {InvalidDraftError} `evidence` for an unknown number */
export function toDraft(answer: Answer, { objective, evidence }: DraftRequest): HandoffDraft {
  const citations = evidence.map(({ citation }) => citation);
  const { state, next_action, omissions } = answer;
  return {
    objective,
    state: state.map((said) => cite(said, citations)),
    disposition: answer.disposition,
    next_action: next_action && cite(next_action, citations),
    omissions: omissions.map((said) => ({
      text: said.text,
      citation: said.evidence === null ? null : citationAt(said.evidence, citations),
    })),
  };
}

function cite({ text, evidence }: Answer['state'][number], citations: Citation[]): HandoffStatement {
  const numbers = [...new Set(evidence)];
  if (numbers.length === 0) throw new InvalidDraftError('evidence', 'A statement cited nothing.');
  return { text, citations: numbers.map((number) => citationAt(number, citations)) };
}

function citationAt(number: number, citations: Citation[]): Citation {
  const citation = citations[number - 1];
  if (citation === undefined) throw new InvalidDraftError('evidence', 'The answer cites an unknown number.');
  return citation;
}
