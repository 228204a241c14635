export { exampleArchive } from './examples.ts';
export * from './format.ts';
export * from './operations.ts';
export * from './shapes.ts';
export * from './shapes.ts';
