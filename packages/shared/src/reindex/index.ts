export { reindexPauseMs, TermReindexer } from './term-reindexer.ts';
