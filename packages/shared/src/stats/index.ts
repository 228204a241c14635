export { readBacklog, watchBacklog } from './backlog.ts';
