export * from './catalog-operations.ts';
export * from './catalog-shapes.ts';
export * from './examples.ts';
export * from './examples.ts';
export * from './report-operations.ts';
export * from './report-shapes.ts';
export * from './report-shapes.ts';
