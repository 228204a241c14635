export * from './catalogue-shapes.ts';
