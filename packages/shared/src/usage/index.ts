export {
  type AnsweredCalls,
  countGenerations,
  type RecordUseDeps,
  recordModelUse,
} from './record-model-use.ts';
