export * from './catalog-examples.ts';
export * from './catalog-operations.ts';
export * from './catalog-shapes.ts';
export * from './report-examples.ts';
export * from './report-operations.ts';
export * from './report-requests.ts';
export * from './report-shapes.ts';
