import { commonFields, type HostEvent, type HostShape, textOf } from './event.ts';
import { lastAnsweredTurn } from './transcript.ts';

const kinds: Record<string, HostEvent['kind']> = {
  sessionStart: 'start',
  userPromptTransformed: 'prompt',
  agentStop: 'answer',
  preCompact: 'compaction',
  sessionEnd: 'end',
};

/** Copilot CLI. The end of a turn has no text: it stands in the transcript. */
export const copilotShape: HostShape = {
  storesPromptAtOnce: false,
  read(name, payload) {
    const kind = kinds[name];
    if (kind === undefined) return undefined;
    const said = kind === 'answer' ? lastAnsweredTurn(payload['transcriptPath']) : undefined;
    const { cwd = payload['workingDirectory'] } = payload;
    return {
      ...commonFields({ ...payload, cwd }),
      kind,
      turn: said?.turn ?? null,
      prompt: kind === 'prompt' ? textOf(payload['prompt']) : textOf(said?.prompt),
      answer: textOf(said?.answer),
    };
  },
  write: (name, context, { transformedPrompt, prompt }) =>
    name === 'userPromptTransformed'
      ? { modifiedTransformedPrompt: `${context}\n\n${textOf(transformedPrompt) ?? textOf(prompt) ?? ''}` }
      : { additionalContext: context },
};
