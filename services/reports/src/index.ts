export { type ReportWorker, startReportWorker } from './start-report-worker.ts';
