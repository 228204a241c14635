export type { Services } from './services.ts';
export { successesOf } from './successes.ts';
export { operations, operationTable } from './table.ts';
