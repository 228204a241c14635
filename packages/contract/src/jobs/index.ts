export * from './catalog.ts';
export * from './operations.ts';
