export { memoryOperations } from './contract.ts';
export { createBuiltinExtractor, createModelExtractor, type Extractor } from './extraction/index.ts';
export {
  type Flushing,
  runFlush,
  scheduleDueFlushes,
  scheduleMs,
  sweepForgottenFlushes,
} from './flush/index.ts';
export { memoryHandlers } from './handlers.ts';
