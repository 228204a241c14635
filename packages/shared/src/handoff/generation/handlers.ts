import type { handoffGenerationOperations } from '@continuity/contract/handoff';
import type { Handlers } from '@continuity/shared/kernel';
import type { Services } from '../../operations/services.ts';
import { activateHandoff, prepareHandoff } from './submit.ts';

export const handoffGenerationHandlers: Handlers<typeof handoffGenerationOperations, Services> = {
  prepare_handoff: (services, caller, { body }) => prepareHandoff(services, caller, body),
  activate_handoff: (services, caller, { body }) => activateHandoff(services, caller, body),
};
