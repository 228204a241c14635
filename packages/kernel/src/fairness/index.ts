export { currentEpoch, runAsTenant, runInEpoch } from './current-work.ts';
export { RoundRobinQueue } from './fair-queue.ts';
export { canBeginInTurn, runAtOnce, runInSlices, type Steps, turnBudgetMs } from './loop.ts';
export { TenantLimit } from './tenant-limit.ts';
