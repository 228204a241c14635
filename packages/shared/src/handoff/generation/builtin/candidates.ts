import { setImmediate } from 'node:timers/promises';
import type { Citation } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import { disposition as dispositionShape, type HandoffDraft } from '@continuity/contract/handoff';
import type { JsonValue } from '@continuity/kernel/json';
import { InferenceError } from '../../../inference/index.ts';
import type { EvidenceRecord, Statement, StatementFinder } from '../../../memory/index.ts';
import type { DraftRequest } from '../port.ts';
import { countShared, wordsOf } from './text.ts';

/** Role of a statement in a draft: the named next step, open work, or anything else. */
export type Role = 'next' | 'open' | 'other';

/** Roles of the statements of one piece of evidence. */
interface Roles {
  roleOf(statement: Statement): Role;
  /** As declared by a boundary; null for other evidence. */
  disposition: HandoffDraft['disposition'] | null;
}

const blocked =
  /(?<!\b(?:not|no longer|never) )(?<!\bun)\bblocked\b|(?<!\bno )\bblockers?\b|\bwaiting (?:for|on)\b|阻塞/iu;
const nextStep = /\bnext (?:steps?|action)\b|下一步/iu;

/** Whether a statement of open work says that the work is blocked. */
export function isBlockedStatement({ kind, text }: Statement): boolean {
  return kind === 'working_note' && blocked.test(text);
}

/** Takes next action and disposition of a boundary from its fields, and the roles of other evidence from its words. */
export function readRoles(json: string, record: EvidenceRecord | null): Roles {
  if (record === 'handoff-boundary') return boundaryRoles(JSON.parse(json) as JsonValue);
  return { roleOf: roleByWords, disposition: null };
}

function roleByWords(statement: Statement): Role {
  if (isBlockedStatement(statement)) return 'other';
  if (nextStep.test(statement.text)) return 'next';
  return statement.kind === 'working_note' ? 'open' : 'other';
}

function boundaryRoles(content: JsonValue): Roles {
  const { next_action: next = null, disposition = null } = fieldsOf(content);
  const text = fieldsOf(next)['text'];
  return {
    roleOf: (statement) => (typeof text === 'string' && text.includes(statement.text) ? 'next' : 'other'),
    disposition: dispositionShape.safeParse(disposition).data ?? null,
  };
}

function fieldsOf(value: JsonValue): { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

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
