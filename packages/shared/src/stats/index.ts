export { watchBacklog } from './backlog.ts';
export { CoalescedReads } from './coalesced-reads.ts';
export { type StatsDeps, statsHandlers } from './handlers.ts';
