export { startWorkers, type Workers } from './start-workers.ts';
