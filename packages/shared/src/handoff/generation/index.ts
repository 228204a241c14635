export { createBuiltinHandoffGenerator } from './builtin/generator.ts';
export type { HandoffGenerationDeps } from './deps.ts';
export { handoffGenerationHandlers } from './handlers.ts';
export { createModelHandoffGenerator } from './model/generator.ts';
export {
  type DraftRequest,
  type EvidenceContent,
  type HandoffGenerator,
  InvalidDraftError,
} from './port.ts';
export { runActivate, runPrepare } from './run.ts';
