import { commonFields, type HostEvent, type HostShape, textOf } from './event.ts';

const kinds: Record<string, HostEvent['kind']> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  Stop: 'answer',
  PreCompact: 'compaction',
  SessionEnd: 'end',
};

/** Claude Code, and Codex, whose turns have another field for their id. */
export function claudeCodeShape(turnField: 'prompt_id' | 'turn_id'): HostShape {
  return {
    storesPromptAtOnce: true,
    read(name, payload) {
      const kind = kinds[name];
      if (kind === undefined) return undefined;
      return {
        ...commonFields(payload),
        kind,
        turn: textOf(payload[turnField]),
        prompt: kind === 'prompt' ? textOf(payload['prompt']) : null,
        answer: kind === 'answer' ? textOf(payload['last_assistant_message']) : null,
      };
    },
    write: (hookEventName, additionalContext) => ({
      hookSpecificOutput: { hookEventName, additionalContext },
    }),
  };
}
