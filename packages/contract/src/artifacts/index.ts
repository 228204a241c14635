export * from './operations.ts';
export * from './publication.ts';
export * from './publication-shapes.ts';
export * from './shapes.ts';
