import type { HandoffDraft } from '@continuity/contract/handoff';
import { type Ask, createAsk, InferenceError, type ModelEndpoint } from '../../../inference/index.ts';
import { checkDraft } from '../check-draft.ts';
import { addOmissions } from '../omissions.ts';
import { DraftFault, type DraftRequest, type HandoffGenerator } from '../port.ts';
import { answerSchema, toDraft } from './answer.ts';
import { instructions, promptOf, shareOut } from './prompt.ts';

export interface ModelGeneratorOptions extends ModelEndpoint {
  /** Requests for one draft that the endpoint does not answer, repeats included. */
  maxRequests: number;
  /** Characters of evidence in one request; longer evidence is cut. 60,000 if left out. */
  maxInputCharacters?: number;
}

const defaultInputCharacters = 60_000;

/** Drafts over an OpenAI-compatible endpoint (spec 30 §3.3). */
export function createModelHandoffGenerator(options: ModelGeneratorOptions): HandoffGenerator {
  const ask = createAsk(options);
  const { maxRequests, maxInputCharacters = defaultInputCharacters } = options;
  return {
    id: `model:${options.model}`,
    draft: async (request) => {
      const draft = await askTwice(ask, request, maxRequests, maxInputCharacters);
      return addOmissions(draft, request, cutOmissions(request, maxInputCharacters));
    },
  };
}

/** An answer that breaks a rule is asked for once more with the reason (spec 30 §3.3.3). */
async function askTwice(
  ask: Ask,
  request: DraftRequest,
  maxRequests: number,
  maxCharacters: number,
): Promise<HandoffDraft> {
  try {
    return await askOnce(ask, request, maxRequests, promptOf(request, maxCharacters, null));
  } catch (error) {
    if (!(error instanceof DraftFault)) throw error;
    return await askOnce(ask, request, maxRequests, promptOf(request, maxCharacters, error.message));
  }
}

async function askOnce(
  ask: Ask,
  request: DraftRequest,
  requestsLeft: number,
  prompt: string,
): Promise<HandoffDraft> {
  try {
    const question = { name: 'handoff_draft', instructions, prompt, schema: answerSchema };
    const answer = await ask({ ...question, signal: request.signal, onUsage: request.onUsage });
    return checkDraft(toDraft(answer, request), request);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    if (error.reason === 'invalid_output')
      throw new DraftFault('output', 'It was no JSON object of the form that was asked for.');
    if (error.reason !== 'unreachable' || requestsLeft <= 1) throw error;
    return await askOnce(ask, request, requestsLeft - 1, prompt);
  }
}

/** Evidence that the model saw only the beginning of is a gap that it cannot know of. */
function cutOmissions({ evidence }: DraftRequest, maxCharacters: number) {
  const shown = shareOut(evidence, maxCharacters);
  return evidence.flatMap(({ citation }, index) =>
    shown[index]?.isCut === true ? [{ text: 'Only the beginning of this evidence was read.', citation }] : [],
  );
}
