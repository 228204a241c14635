export * from './family.ts';
export * from './operations.ts';
export * from './shapes.ts';
export * from './write-operations.ts';
