export { countGenerations } from './count-generations.ts';
export { type ModelUse, recordModelUse, type UseLedger } from './record.ts';
