export { createBuiltinHandoffGenerator } from './builtin/generator.ts';
export { createModelHandoffGenerator } from './model/generator.ts';
export {
  type DraftRequest,
  type EvidenceContent,
  type HandoffGenerator,
  InvalidDraftError,
} from './port.ts';
export type { HandoffGenerationDeps } from './run.ts';
export { runActivate, runPrepare } from './run.ts';
export { handoffGenerationHandlers } from './submit.ts';
