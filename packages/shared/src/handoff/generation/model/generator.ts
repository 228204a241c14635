import type { HandoffDraft } from '@continuity/contract/handoff';
import { type Ask, createAsk, InferenceError, type ModelEndpoint } from '../../../inference/index.ts';
import { checkDraft } from '../check-draft.ts';
import { addOmissions } from '../omissions.ts';
import { type DraftRequest, type HandoffGenerator, InvalidDraftError } from '../port.ts';
import { answerSchema, toDraft } from './answer.ts';
import { fitEvidence, instructions, promptOf } from './prompt.ts';

export interface ModelGeneratorOptions extends ModelEndpoint {
  /** Limit of requests for one draft while the endpoint is unreachable, retries included. */
  maxRequests: number;
  /** Limit of characters of evidence per request; longer evidence is truncated. 60,000 if left out. */
  maxInputCharacters?: number;
}

const defaultInputCharacters = 60_000;

/** Creates a generator over an OpenAI-compatible endpoint (spec 30 §3.3). */
export function createModelHandoffGenerator(options: ModelGeneratorOptions): HandoffGenerator {
  const ask = createAsk(options);
  const { maxRequests, maxInputCharacters = defaultInputCharacters } = options;
  return {
    id: `model:${options.model}`,
    draft: async (request) => {
      const draft = await askTwice(ask, request, maxRequests, maxInputCharacters);
      return addOmissions(draft, request, truncationOmissions(request, maxInputCharacters));
    },
  };
}

/** Asks once more, with the reason, after an invalid draft (spec 30 §3.3.3). */
async function askTwice(
  ask: Ask,
  request: DraftRequest,
  maxRequests: number,
  maxCharacters: number,
): Promise<HandoffDraft> {
  try {
    return await askOnce(ask, request, maxRequests, promptOf(request, maxCharacters, null));
  } catch (error) {
    if (!(error instanceof InvalidDraftError)) throw error;
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
      throw new InvalidDraftError('output', 'The answer was not a JSON object of the required form.');
    if (error.reason !== 'unreachable' || requestsLeft <= 1) throw error;
    return await askOnce(ask, request, requestsLeft - 1, prompt);
  }
}

/** Omissions for evidence that the prompt truncates, which the model cannot report itself. */
function truncationOmissions({ evidence }: DraftRequest, maxCharacters: number) {
  const texts = fitEvidence(evidence, maxCharacters);
  return evidence.flatMap(({ citation }, index) =>
    texts[index]?.isTruncated === true
      ? [{ text: 'Only the beginning of this evidence was read.', citation }]
      : [],
  );
}
