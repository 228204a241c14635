export * from './operation.ts';
export { operations, operationTable, successesOf } from './table.ts';
