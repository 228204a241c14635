import { type HandoffDraft, type HandoffStatement, maxStateStatements } from '@continuity/contract/handoff';
import { DraftFault, type DraftRequest } from '../port.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Candidate, CandidateGroup } from './candidates.ts';
import { quoteOf } from './quote.ts';

/** The statements of a draft, and how many found no room. */
export interface Choice {
  state: HandoffStatement[];
  nextAction: HandoffStatement | null;
  leftOut: number;
}

/**
 * Chooses by weight, shows in the order of the evidence. Something of each piece of evidence comes before more of
 * another one, and one statement before the next action: without any there is no draft.
 *
 * @throws {DraftFault} `budget` where not even the beginning of one statement fits
 */
export function chooseStatements(
  groups: CandidateGroup[],
  request: DraftRequest,
  disposition: HandoffDraft['disposition'],
  budget: ByteBudget,
  spare: number,
): Choice {
  const all = groups.flatMap(({ candidates }) => candidates);
  const mayGoOn = disposition !== 'complete' && all.length > 1;
  const next = mayGoOn ? chooseNextAction(all) : undefined;
  const ranked = rank(groups).filter((one) => one !== next);
  const chosen = new Set<Candidate>();
  const first = ranked.find((one) => budget.take(toStatement(one)));
  const beginning = first === undefined ? takeBeginning(ranked, request, budget) : undefined;
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

/** What is called the next step, or else the weightiest open work. Undefined where none is named. */
function chooseNextAction(candidates: readonly Candidate[]): Candidate | undefined {
  const open = candidates.filter(({ role }) => role === 'open').sort(byWeight);
  return candidates.find(({ role }) => role === 'next') ?? open[0];
}

/** The weightiest of each piece of evidence, then the others by weight. */
function rank(groups: CandidateGroup[]): Candidate[] {
  const bests = groups.flatMap(({ candidates }) => candidates.toSorted(byWeight).slice(0, 1)).sort(byWeight);
  const others = groups.flatMap(({ candidates }) => candidates).filter((one) => !bests.includes(one));
  return [...bests, ...others.sort(byWeight)];
}

/** Heaviest first; those of one weight stay in order. */
function byWeight(left: Candidate, right: Candidate): number {
  return right.weight - left.weight;
}

/** Where no statement is found, or none fits: the beginning of one, or of the evidence itself. */
function takeBeginning(
  ranked: Candidate[],
  { evidence }: DraftRequest,
  budget: ByteBudget,
): HandoffStatement {
  const quotes = evidence.map(({ citation, content }) => ({ text: quoteOf(content), citations: [citation] }));
  for (const statement of [...ranked.map(toStatement), ...quotes]) {
    // With one Citation there is the most room for its text.
    const short = { ...statement, citations: statement.citations.slice(0, 1) };
    if (budget.take(short)) return short;
    const beginning = budget.takeBeginning(short);
    if (beginning !== undefined) return beginning;
  }
  throw new DraftFault('budget', 'Not one statement fits beside the objective.');
}

function toStatement({ text, citations }: Candidate): HandoffStatement {
  return { text, citations };
}
