export * from './inbox.ts';
export * from './operations.ts';
export * from './proposals.ts';
export * from './shapes.ts';
