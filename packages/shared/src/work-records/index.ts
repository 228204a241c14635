export { type BackfillProgress, backfillWorkRecords } from './backfill.ts';
export { findContractIssues, findCurrentWorkIssues, findOutcomeIssues } from './basis-rules.ts';
export { readContinuity } from './continuity.ts';
export {
  countersOf,
  projectionColumns,
  projectionTypes,
  projectionValues,
  projectWrittenRecord,
  recordCounters,
  type WorkProjection,
  type WorkRecordKind,
} from './projection.ts';
