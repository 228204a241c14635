import { commonFields, type HostEvent, type HostShape, textOf } from './event.ts';
import { lastTurn } from './transcript.ts';

const kinds: Record<string, HostEvent['kind']> = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  AfterAgent: 'answer',
  PreCompress: 'compaction',
  SessionEnd: 'end',
};

/** Gemini CLI. Its events name no turn: the transcript does. */
export const geminiShape: HostShape = {
  storesPromptAtOnce: false,
  read(name, payload) {
    const kind = kinds[name];
    if (kind === undefined) return undefined;
    const isAnswer = kind === 'answer';
    return {
      ...commonFields(payload),
      kind,
      turn: isAnswer ? (lastTurn(payload['transcript_path'])?.turn ?? null) : null,
      prompt: kind === 'prompt' || isAnswer ? textOf(payload['prompt']) : null,
      answer: isAnswer ? textOf(payload['prompt_response']) : null,
    };
  },
  write: (hookEventName, additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } }),
};
