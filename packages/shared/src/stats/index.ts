export { readBacklog, watchBacklog } from './backlog.ts';
export { statsHandlers } from './handlers.ts';
export type { StatsDeps } from './read-stats.ts';
