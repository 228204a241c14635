export { startReportWorker } from './start-report-worker.ts';
