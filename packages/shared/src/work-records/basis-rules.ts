import type { Issue } from '@continuity/contract';
import type { CurrentWorkHandoff, TaskOutcome, WorkClaim, WorkContract } from '@continuity/contract/work';

/** A claim or check with its basis. */
type WithBasis = Pick<WorkClaim, 'basis' | 'evidence'>;

/** Validates that a declared fact has no evidence and a verified fact has some (spec 30 §2.1). */
export function findContractIssues({ facts }: WorkContract): Issue[] {
  return findListIssues('contract.facts', facts);
}

/** The same rule for the state and next action of a Handoff. */
export function findCurrentWorkIssues({ state, next_action }: CurrentWorkHandoff): Issue[] {
  const next = next_action === null ? [] : findBasisIssues('handoff.next_action', next_action);
  return [...findListIssues('handoff.state', state), ...next];
}

/** The same rule for the observations and checks of an outcome. */
export function findOutcomeIssues({ observations, checks }: TaskOutcome): Issue[] {
  return [
    ...findListIssues('outcome.observations', observations),
    ...findListIssues('outcome.checks', checks),
  ];
}

function findListIssues(path: string, items: WithBasis[]): Issue[] {
  return items.flatMap((item, index) => findBasisIssues(`${path}[${index}]`, item));
}

function findBasisIssues(path: string, { basis, evidence }: WithBasis): Issue[] {
  if (basis === 'declared' && evidence.length > 0) {
    return [{ path: `${path}.evidence`, message: 'must be empty where the basis is declared' }];
  }
  if (basis === 'verified' && evidence.length === 0) {
    return [{ path: `${path}.evidence`, message: 'must have a Citation where the basis is verified' }];
  }
  return [];
}
