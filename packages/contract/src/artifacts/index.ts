export * from './operations.ts';
export * from './publication.ts';
export * from './shapes.ts';
