import { systemClock } from '@continuity/kernel/process';
import type { OnUsage } from '../inference/index.ts';
import { type AnsweredCalls, type RecordUseDeps, recordModelUse } from './record-model-use.ts';

/** Returns a callback that records each answered generation request for one piece of work. */
export function countGenerations(
  deps: RecordUseDeps,
  work: Pick<AnsweredCalls, 'tenantId' | 'scope' | 'purpose'>,
): OnUsage {
  return (usage) =>
    recordModelUse(deps, { ...work, ...usage, operation: 'generation', at: systemClock.now() });
}
