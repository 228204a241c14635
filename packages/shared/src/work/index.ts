export { type WorkDeps, workHandlers } from './handlers.ts';
