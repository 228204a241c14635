import { claudeCodeShape } from './claude-code.ts';
import { copilotShape } from './copilot.ts';
import type { HostShape, Payload } from './event.ts';
import { geminiShape } from './gemini.ts';

export type { HostEvent, HostShape, Payload } from './event.ts';

/** Hosts whose hooks are commands, by the names that the import and ids of Sources have too. */
export const hostShapes: Readonly<Record<string, HostShape>> = {
  'claude-code': claudeCodeShape('prompt_id'),
  codex: claudeCodeShape('turn_id'),
  gemini: geminiShape,
  copilot: copilotShape,
};

/** The host of an event that comes without a name: Codex gives turns, and speaks as Claude Code otherwise. */
export function guessHost(payload: Payload): string {
  return payload['turn_id'] === undefined ? 'claude-code' : 'codex';
}
