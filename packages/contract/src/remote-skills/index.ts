export * from './operations.ts';
export * from './receiver-operations.ts';
export * from './shapes.ts';
