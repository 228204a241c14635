export { countGenerations } from './count-generations.ts';
export { type UseOperation, type UsePurpose, usePurposes } from './purposes.ts';
export { type ModelUse, recordModelUse, type UseLedger } from './record.ts';
