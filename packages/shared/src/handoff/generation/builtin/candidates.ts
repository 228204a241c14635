import { setImmediate } from 'node:timers/promises';
import type { Citation } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import type { HandoffDraft } from '@continuity/contract/handoff';
import { InferenceError } from '../../../inference/index.ts';
import { type Statement, statementsIn } from '../../../memory/index.ts';
import type { DraftRequest } from '../port.ts';
import { type Role, readRoles, saysBlocked } from './roles.ts';
import { countShared, wordsOf } from './words.ts';

/** A statement as the evidence has it, with all the evidence that says the same. */
export interface Candidate {
  text: string;
  citations: Citation[];
  role: Role;
  /** How much it should be in the draft. */
  weight: number;
}

/** The statements of one piece of evidence that no earlier piece had, in its order. */
export interface CandidateGroup {
  citation: Citation;
  /** True where the evidence has a statement at all. */
  says: boolean;
  /** True where its words say that something outside of the work is waited for. */
  isBlocked: boolean;
  /** As it says itself; null where it is no boundary. */
  disposition: HandoffDraft['disposition'] | null;
  candidates: Candidate[];
}

/** Open work and decisions are what a reader of a Handoff needs first. */
const kindWeights: Record<Statement['kind'], number> = {
  working_note: 3,
  decision: 3,
  constraint: 2,
  preference: 1,
  fact: 1,
};

/** The statements of all evidence, in its order; equal ones are one statement with several Citations. */
export async function findCandidates({
  objective,
  evidence,
  signal,
}: DraftRequest): Promise<CandidateGroup[]> {
  const wanted = wordsOf(objective);
  const known = new Map<string, Candidate>();
  const groups: CandidateGroup[] = [];
  for (const { citation, content, record } of evidence) {
    // Evidence can be tens of megabytes: the process must breathe in between.
    await setImmediate();
    if (signal.aborted) throw new InferenceError('timeout', 'The draft was ended before it was done.');
    const statements = statementsIn(content, record, 'coding');
    const { roleOf, disposition } = readRoles(content, record);
    const candidates: Candidate[] = [];
    for (const statement of statements) {
      const before = known.get(statement.text);
      if (before !== undefined) {
        cite(before, citation);
        continue;
      }
      const { kind, text } = statement;
      const weight = kindWeights[kind] + countShared(text, wanted);
      const candidate: Candidate = { text, citations: [citation], role: roleOf(statement), weight };
      known.set(text, candidate);
      candidates.push(candidate);
    }
    const isBlocked = statements.some(saysBlocked);
    groups.push({ citation, says: statements.length > 0, isBlocked, disposition, candidates });
  }
  return groups;
}

function cite({ citations }: Candidate, citation: Citation): void {
  if (!citations.some((one) => citationKey(one) === citationKey(citation))) citations.push(citation);
}
