export { currentEpoch, runAsTenant, runInEpoch } from './current-work.ts';
export { canBeginInTurn, runInSlices, type Steps, turnBudgetMs } from './loop.ts';
export { RoundRobinQueue } from './round-robin-queue.ts';
export { TenantLimit } from './tenant-limit.ts';
