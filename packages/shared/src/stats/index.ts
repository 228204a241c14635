export { watchBacklog } from './backlog.ts';
export { type StatsDeps, statsHandlers } from './handlers.ts';
