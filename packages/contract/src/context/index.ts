export type { EmptyReason } from './empty-words.ts';
export * from './operations.ts';
