import type { OperationInput } from '@continuity/contract';
import type { remoteSkillOperations } from '@continuity/contract/remote-skills';

type Operations = typeof remoteSkillOperations;

/** The validated body of an operation. */
export type BodyOf<Name extends keyof Operations> = OperationInput<Operations[Name]>['body'];
