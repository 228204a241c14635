import type { ToolSet } from '@continuity/contract/mcp';
import type { ServiceError } from '@continuity/kernel/errors';
import type { Caller } from '@continuity/shared/handlers';
import type { HeadFile } from '@continuity/shared/skills';
import type { BoundOperations } from '../bind-handlers.ts';
import type { ToolCall } from './message.ts';

/** Caller and handlers of one message. */
export interface McpSession {
  sets: ReadonlySet<ToolSet>;
  /** The Scope of a call that names none: `?scope=`. */
  scope: string | undefined;
  handlers: BoundOperations;
  caller: Caller;
  /** Reads a text file of the head of a Skill; undefined where there is none. */
  readSkillFile(file: HeadFile): Promise<string | undefined>;
  /** The tool that the message calls; null for any other message. */
  call: ToolCall | null;
  /** The contract's error for any failure. Also stores it for the log line of the request. */
  toError(failure: unknown): ServiceError;
}
