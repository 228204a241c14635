export * from './catalogue-examples.ts';
export * from './catalogue-operations.ts';
export * from './catalogue-shapes.ts';
export * from './report-examples.ts';
export * from './report-operations.ts';
export * from './report-requests.ts';
export * from './report-shapes.ts';
