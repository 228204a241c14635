export type { Services } from './services.ts';
export { operations, operationTable } from './table.ts';
