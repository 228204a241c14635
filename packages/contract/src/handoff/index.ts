export * from './generation.ts';
export * from './operations.ts';
export * from './shapes.ts';
