export * from './continuity.ts';
export * from './operations.ts';
export * from './shapes.ts';
