import { setFlagsFromString } from 'node:v8';
import { runWorkerService } from '@continuity/kernel/process';
import { startReportWorker } from './start-report-worker.ts';

// A rendering allocates much and keeps little. V8 would otherwise grow the space for new objects by tens of megabytes.
setFlagsFromString('--semi-space-growth-factor=1');

await runWorkerService('continuity-reports', startReportWorker);
