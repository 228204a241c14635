export { type BackfillProgress, backfillWorkRecords } from './backfill.ts';
export { contractIssues, currentWorkIssues, outcomeIssues } from './basis-rules.ts';
export {
  countersOf,
  projectionColumns,
  projectionTypes,
  projectionValues,
  recordCounters,
} from './columns.ts';
export { readContinuity } from './continuity.ts';
export {
  projectCapturedSource,
  projectWrittenRecord,
  type WorkProjection,
  type WorkRecordKind,
} from './projection.ts';
