export { startWorkers } from './start-workers.ts';
