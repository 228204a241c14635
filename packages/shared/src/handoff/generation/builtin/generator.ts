import {
  type HandoffDraft,
  type HandoffOmission,
  type HandoffStatement,
  maxStateStatements,
} from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';
import type { StatementFinder } from '../../../memory/index.ts';
import { contentBytes, contentOfDraft } from '../../content.ts';
import { type DraftRequest, type HandoffGenerator, InvalidDraftError } from '../port.ts';
import { addOmissions, checkDraft } from '../run.ts';
import { type Candidate, type CandidateGroup, findCandidates } from './candidates.ts';
import { ByteBudget, quoteOf } from './text.ts';

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

/** The statements of a draft, and the number of omitted ones. */
interface Choice {
  state: HandoffStatement[];
  nextAction: HandoffStatement | null;
  leftOut: number;
}

/**
 * Chooses statements by weight and returns them in the order of the evidence. Prefers the best statement of each piece of evidence
 * over a second one of another piece. Reserves one statement before the next action, because a draft needs a statement.
 *
 * @throws {InvalidDraftError} `budget` if not even a truncated statement fits
 */
export function chooseStatements(
  groups: CandidateGroup[],
  disposition: HandoffDraft['disposition'],
  budget: ByteBudget,
  spare: number,
): Choice {
  const all = groups.flatMap(({ candidates }) => candidates);
  const canHaveNextAction = disposition !== 'complete' && all.length > 1;
  const next = canHaveNextAction ? chooseNextAction(all) : undefined;
  const ranked = rank(groups).filter((one) => one !== next);
  const chosen = new Set<Candidate>();
  const first = ranked.find((one) => budget.take(toStatement(one)));
  const beginning = first === undefined ? takeBeginning(ranked, groups, budget) : undefined;
  if (first !== undefined) chosen.add(first);
  const nextAction = next !== undefined && budget.take(toStatement(next)) ? toStatement(next) : null;
  for (const one of ranked) {
    if (chosen.size === maxStateStatements) break;
    if (one !== first && budget.take(toStatement(one), spare)) chosen.add(one);
  }
  const state = all.filter((one) => chosen.has(one)).map(toStatement);
  return {
    state: beginning === undefined ? state : [beginning],
    nextAction,
    leftOut: all.length - chosen.size - (nextAction === null ? 0 : 1),
  };
}

/** Chooses the statement that names the next step, else the open work with the highest weight; undefined without either. */
function chooseNextAction(candidates: readonly Candidate[]): Candidate | undefined {
  const open = candidates.filter(({ role }) => role === 'open').sort(byWeight);
  return candidates.find(({ role }) => role === 'next') ?? open[0];
}

/** Ranks the best statement of each piece of evidence first, then the others, both by weight. */
function rank(groups: CandidateGroup[]): Candidate[] {
  const bests = groups.flatMap(({ candidates }) => candidates.toSorted(byWeight).slice(0, 1)).sort(byWeight);
  const others = groups.flatMap(({ candidates }) => candidates).filter((one) => !bests.includes(one));
  return [...bests, ...others.sort(byWeight)];
}

/** Descending by weight; stable. */
function byWeight(left: Candidate, right: Candidate): number {
  return right.weight - left.weight;
}

/** The fallback if no statement is found or fits: a truncated statement or quote. */
function takeBeginning(ranked: Candidate[], groups: CandidateGroup[], budget: ByteBudget): HandoffStatement {
  const quotes = groups.map(({ citation, beginning }) => ({
    text: quoteOf(beginning),
    citations: [citation],
  }));
  for (const statement of [...ranked.map(toStatement), ...quotes]) {
    // A single Citation leaves more bytes for the text.
    const short = { ...statement, citations: statement.citations.slice(0, 1) };
    if (budget.take(short)) return short;
    const beginning = budget.takeBeginning(short);
    if (beginning !== undefined) return beginning;
  }
  throw new InvalidDraftError('budget', 'No statement fits beside the objective.');
}

function toStatement({ text, citations }: Candidate): HandoffStatement {
  return { text, citations };
}
