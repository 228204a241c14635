import type { handoffGenerationOperations } from '@continuity/contract/handoff';
import type { Handlers } from '@continuity/shared/handlers';
import type { HandoffGenerationDeps } from './deps.ts';
import { activateHandoff, prepareHandoff } from './submit.ts';

export const handoffGenerationHandlers: Handlers<typeof handoffGenerationOperations, HandoffGenerationDeps> =
  {
    prepare_handoff: (deps, caller, { body }) => prepareHandoff(deps, caller, body),
    activate_handoff: (deps, caller, { body }) => activateHandoff(deps, caller, body),
  };
