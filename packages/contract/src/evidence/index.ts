export * from './citations.ts';
