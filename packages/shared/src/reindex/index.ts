export { Reindexer, reindexPauseMs } from './reindexer.ts';
