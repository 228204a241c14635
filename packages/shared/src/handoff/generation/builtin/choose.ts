import { type HandoffDraft, type HandoffStatement, maxStateStatements } from '@continuity/contract/handoff';
import { InvalidDraftError } from '../port.ts';
import type { Candidate, CandidateGroup } from './candidates.ts';
import { type ByteBudget, quoteOf } from './text.ts';

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
