export { type CatalogueDeps, catalogueHandlers } from './catalogue/handlers.ts';
export { activitySweepMs, sweepActivities } from './catalogue/sweep-activities.ts';
