export { reportHandlers } from './answer/handlers.ts';
export { reportResults } from './answer/job-result.ts';
export type { ReportAnswerDeps } from './answer/wait-for-report.ts';
export { type CatalogueDeps, catalogueHandlers } from './catalogue/handlers.ts';
export { activitySweepMs, sweepActivities } from './catalogue/sweep-activities.ts';
export type { ReportDeps, ReportLimits } from './job/report-deps.ts';
export { runGetReport, runViewReport } from './job/run-report.ts';
export { dropReports } from './renderings/purge.ts';
export { sweepRenderings } from './renderings/sweep.ts';
