export { readBacklog, watchBacklog } from './backlog.ts';
export { statsHandlers } from './handlers.ts';
export { KeptReadings } from './kept-readings.ts';
