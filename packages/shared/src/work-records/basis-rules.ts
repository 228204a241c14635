import type { Issue } from '@continuity/contract';
import type { CurrentWorkHandoff, TaskOutcome, WorkClaim, WorkContract } from '@continuity/contract/work';

/** A claim or check with its basis. */
type WithBasis = Pick<WorkClaim, 'basis' | 'evidence'>;

/** Validates that a declared fact has no evidence and a verified fact has some (spec 30 §2.1). */
export function contractIssues({ facts }: WorkContract): Issue[] {
  return listIssues('contract.facts', facts);
}

/** The same rule for the state and next action of a Handoff. */
export function currentWorkIssues({ state, next_action }: CurrentWorkHandoff): Issue[] {
  const next = next_action === null ? [] : basisIssues('handoff.next_action', next_action);
  return [...listIssues('handoff.state', state), ...next];
}

/** The same rule for the observations and checks of an outcome. */
export function outcomeIssues({ observations, checks }: TaskOutcome): Issue[] {
  return [...listIssues('outcome.observations', observations), ...listIssues('outcome.checks', checks)];
}

function listIssues(path: string, items: WithBasis[]): Issue[] {
  return items.flatMap((item, index) => basisIssues(`${path}[${index}]`, item));
}

function basisIssues(path: string, { basis, evidence }: WithBasis): Issue[] {
  if (basis === 'declared' && evidence.length > 0) {
    return [{ path: `${path}.evidence`, message: 'must be empty where the basis is declared' }];
  }
  if (basis === 'verified' && evidence.length === 0) {
    return [{ path: `${path}.evidence`, message: 'must have a Citation where the basis is verified' }];
  }
  return [];
}
