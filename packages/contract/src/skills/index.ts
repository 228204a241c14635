export { exampleArchive } from './examples.ts';
export * from './format.ts';
export * from './governance.ts';
export * from './operations.ts';
export * from './package-shapes.ts';
export * from './shapes.ts';
export * from './text-shapes.ts';
