export { countGenerations } from './count-generations.ts';
export { type AnsweredCalls, type RecordUseDeps, recordModelUse } from './record-model-use.ts';
