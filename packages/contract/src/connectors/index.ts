export * from './operations.ts';
export * from './operations.ts';
