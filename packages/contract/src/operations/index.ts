export * from './operation.ts';
export { successesOf } from './successes.ts';
export { operations, operationTable } from './table.ts';
