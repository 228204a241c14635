export * from './bindings.ts';
export * from './operations.ts';
export * from './shapes.ts';
