export * from './artifact-shapes.ts';
export * from './operations.ts';
export * from './shapes.ts';
