import type { OnUsage } from '../inference/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { type ModelUse, recordModelUse, type UseLedger } from './record.ts';

/** Returns a callback that records each answered generation request for one piece of work. */
export function countGenerations(
  ledger: UseLedger,
  work: Pick<ModelUse, 'tenantId' | 'scope' | 'purpose'>,
): OnUsage {
  return ({ requests, input_tokens, output_tokens }) =>
    recordModelUse(ledger, {
      ...work,
      operation: 'generation',
      requests,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      at: systemClock.now(),
    });
}
