export * from './catalogue-shapes.ts';
export * from './report-examples.ts';
export * from './report-shapes.ts';
