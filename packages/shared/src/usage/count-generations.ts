import type { OnUsage } from '../inference/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { type AnsweredCalls, type RecordUseDeps, recordModelUse } from './record-model-use.ts';

/** Returns a callback that records each answered generation request for one piece of work. */
export function countGenerations(
  deps: RecordUseDeps,
  work: Pick<AnsweredCalls, 'tenantId' | 'scope' | 'purpose'>,
): OnUsage {
  return ({ requests, input_tokens, output_tokens }) =>
    recordModelUse(deps, {
      ...work,
      operation: 'generation',
      requests,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      at: systemClock.now(),
    });
}
