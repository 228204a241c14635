export { type BackfillProgress, backfillWorkRecords } from './backfill.ts';
export { findContractIssues, findCurrentWorkIssues, findOutcomeIssues } from './basis-rules.ts';
export {
  countersOf,
  projectionColumns,
  projectionTypes,
  projectionValues,
  recordCounters,
} from './columns.ts';
export { readContinuity } from './continuity.ts';
export { projectWrittenRecord, type WorkProjection, type WorkRecordKind } from './projection.ts';
