export { canBeginInTurn, runInSlices, type Steps, turnBudgetMs } from './loop.ts';
export { RoundRobinQueue } from './round-robin-queue.ts';
export { runAsTenant, TenantLimit } from './tenant-limit.ts';
