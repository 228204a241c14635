import type { HandoffDraft, HandoffOmission } from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';
import type { StatementFinder } from '../../../memory/index.ts';
import { contentBytes, contentOfDraft } from '../../content.ts';
import type { DraftRequest, HandoffGenerator } from '../port.ts';
import { addOmissions, checkDraft } from '../run.ts';
import { type CandidateGroup, findCandidates } from './candidates.ts';
import { chooseStatements } from './choose.ts';
import { ByteBudget } from './text.ts';

/** Omission that each draft with enough room has. */
const aboutRules: HandoffOmission = {
  text: 'Drafted by rules: statements are quoted from the evidence; nothing was inferred, and completion was not judged.',
  citation: null,
};

/** Largest share of the budget that omissions reserve. */
const omissionShare = 1 / 3;

/** Budgets of at most this size, in bytes, reserve nothing for omissions. */
const smallBudget = 1_024;

/**
 * Creates the generator `handoff-rules.v1`. It uses no model and no network, quotes each statement from the evidence that it cites,
 * and is deterministic. It never infers that work is complete, but repeats the disposition of a boundary.
 */
export function createBuiltinHandoffGenerator(finder: StatementFinder): HandoffGenerator {
  return { id: 'handoff-rules.v1', draft: (request) => draft(finder, request) };
}

async function draft(finder: StatementFinder, request: DraftRequest): Promise<HandoffDraft> {
  const { objective, maxBytes } = request;
  const groups = await findCandidates(finder, request);
  const disposition = dispositionOf(groups);
  const empty: HandoffDraft = { objective, state: [], disposition, next_action: null, omissions: [] };
  const emptyBytes = contentBytes(contentOfDraft(empty));
  const gaps = gapsOf(groups, request);
  const omissionBytes = utf8Length(canonicalJson([aboutRules, ...leftOutOf(999), ...gaps]));
  const spare = maxBytes > smallBudget ? Math.min(omissionBytes, Math.floor(maxBytes * omissionShare)) : 0;
  const budget = new ByteBudget(maxBytes - emptyBytes);
  const { state, nextAction, leftOut } = chooseStatements(groups, disposition, budget, spare);
  const omissions = [aboutRules, ...leftOutOf(leftOut), ...gaps];
  return checkDraft(addOmissions({ ...empty, state, next_action: nextAction }, request, omissions), request);
}

/** The disposition of the first boundary; without one, inferred from the words of the evidence. */
function dispositionOf(groups: CandidateGroup[]): HandoffDraft['disposition'] {
  const declared = groups.find(({ disposition }) => disposition !== null)?.disposition;
  return declared ?? (groups.some(({ isBlocked }) => isBlocked) ? 'blocked' : 'continuable');
}

function leftOutOf(statements: number): HandoffOmission[] {
  if (statements === 0) return [];
  return [{ text: `Statements of the evidence that found no room: ${statements}.`, citation: null }];
}

/** Omissions for evidence without statements and for truncated evidence. */
function gapsOf(groups: CandidateGroup[], { evidence }: DraftRequest): HandoffOmission[] {
  const silent = groups
    .filter(({ hasStatements }) => !hasStatements)
    .map(({ citation }) => ({ text: 'No statement was found in this evidence.', citation }));
  const cut = evidence
    .filter(({ isTruncated }) => isTruncated)
    .map(({ citation }) => ({ text: 'Only a part of this evidence was read.', citation }));
  return [...silent, ...cut];
}
