import { runWorkerService } from '@continuity/kernel/process';
import { startWorkers } from './start-workers.ts';

await runWorkerService('continuity-workers', startWorkers);
