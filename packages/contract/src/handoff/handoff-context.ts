import { jsonLine, untrustedPreface } from '../notation/untrusted-text.ts';

/** Limit of the text, in bytes of UTF-8. */
const maxBytes = 4_000;

/** What an agent is told of a Handoff, from the answer of `continue_handoff`. */
export interface HandoffFacts {
  revision: number;
  /** When the revision was committed, RFC 3339. */
  committedAt: string;
  objective: string;
  state: readonly string[];
  nextAction: string | null;
  omissions: readonly string[];
  /** Number of Citations whose evidence cannot be read any more. */
  unavailable: number;
}

/**
 * A Handoff as context for an agent's turn (spec 70 §4.4): five lines, at most 4,000 bytes. To fit, whole statements go from the front of
 * the state, then omissions from their front; last the objective and the next action are cut.
 */
export function handoffContext(facts: HandoffFacts): string {
  const state = [...facts.state];
  const omissions = [...facts.omissions];
  const text = () => render({ ...facts, state, omissions });
  while (sizeOf(text()) > maxBytes && (state.length > 0 || omissions.length > 0)) {
    if (state.length > 0) state.shift();
    else omissions.shift();
  }
  if (sizeOf(text()) <= maxBytes) return text();
  return shortest(facts);
}

/** Objective and next action, each cut to the longest prefix of half of what both may have. */
function shortest(facts: HandoffFacts): string {
  const rendered = (characters: number) =>
    render({
      ...facts,
      state: [],
      omissions: [],
      objective: cut(facts.objective, characters),
      nextAction: facts.nextAction && cut(facts.nextAction, characters),
    });
  let [fits, tooLong] = [0, maxBytes];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (sizeOf(rendered(middle)) <= maxBytes) fits = middle;
    else tooLong = middle;
  }
  return rendered(fits);
}

function render({
  revision,
  committedAt,
  objective,
  state,
  nextAction,
  omissions,
  unavailable,
}: HandoffFacts): string {
  const line = jsonLine({
    trust: 'untrusted_history',
    revision,
    committed_at: committedAt,
    objective,
    state,
    next_action: nextAction,
    omissions,
    unavailable,
  });
  return `${untrustedPreface}\n\nBEGIN_SERVICE_HANDOFF_V1\n${line}\nEND_SERVICE_HANDOFF_V1`;
}

/** Whole code points, with `…` where something is missing. */
function cut(text: string, characters: number): string {
  const points = Array.from(text);
  return points.length <= characters ? text : `${points.slice(0, characters).join('')}…`;
}

const encoder = new TextEncoder();

function sizeOf(text: string): number {
  return encoder.encode(text).length;
}
