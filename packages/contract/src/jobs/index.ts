export * from './catalogue.ts';
export * from './operations.ts';
