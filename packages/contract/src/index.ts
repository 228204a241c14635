export * from './errors/index.ts';
export * from './families/index.ts';
export * from './jobs/catalog.ts';
export * from './notation/index.ts';
export * from './operations/operation.ts';
