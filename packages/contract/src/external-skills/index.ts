export { exampleRegistration } from './examples.ts';
export * from './operations.ts';
export * from './shapes.ts';
