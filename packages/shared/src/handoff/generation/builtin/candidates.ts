import { setImmediate } from 'node:timers/promises';
import type { Citation } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import type { HandoffDraft } from '@continuity/contract/handoff';
import { InferenceError } from '../../../inference/index.ts';
import type { Statement, StatementFinder } from '../../../memory/index.ts';
import type { DraftRequest } from '../port.ts';
import { isBlockedStatement, type Role, readRoles } from './roles.ts';
import { countShared, wordsOf } from './text.ts';

/** A statement of the evidence, with the Citations of all evidence that contains it. */
export interface Candidate {
  text: string;
  citations: Citation[];
  role: Role;
  /** Priority for the draft; higher first. */
  weight: number;
}

/** The statements of one piece of evidence that are not in an earlier piece, in order. */
export interface CandidateGroup {
  citation: Citation;
  /** Whether the evidence contains any statement. */
  hasStatements: boolean;
  /** Whether a statement says that the work is blocked. */
  isBlocked: boolean;
  /** As declared by a boundary; null for other evidence. */
  disposition: HandoffDraft['disposition'] | null;
  /** Beginning of its text, to quote if nothing else fits. */
  beginning: string;
  candidates: Candidate[];
}

/** Weights of kinds. Open work and decisions matter most to the receiver. */
const kindWeights: Record<Statement['kind'], number> = {
  working_note: 3,
  decision: 3,
  constraint: 2,
  preference: 1,
  fact: 1,
};

/** Limit of statements of one piece of evidence. A draft has room for a few. */
const maxStatements = 50;

/** Extracts the statements of all evidence, in order. Merges equal statements into one with several Citations. */
export async function findCandidates(
  finder: StatementFinder,
  { tenantId, objective, evidence, signal }: DraftRequest,
): Promise<CandidateGroup[]> {
  const wanted = wordsOf(objective);
  const known = new Map<string, Candidate>();
  const groups: CandidateGroup[] = [];
  for (const { citation, json, record } of evidence) {
    // The finder reads short evidence at once, so yield to the event loop.
    await setImmediate();
    if (signal.aborted) throw new InferenceError('timeout', 'The draft was aborted.');
    const found = await finder.find(tenantId, { json, record }, 'coding');
    const { beginning } = found;
    const statements = found.statements.slice(0, maxStatements);
    const { roleOf, disposition } = readRoles(json, record);
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
    const isBlocked = statements.some(isBlockedStatement);
    groups.push({
      citation,
      hasStatements: statements.length > 0,
      isBlocked,
      disposition,
      beginning,
      candidates,
    });
  }
  return groups;
}

function cite({ citations }: Candidate, citation: Citation): void {
  if (!citations.some((one) => citationKey(one) === citationKey(citation))) citations.push(citation);
}
