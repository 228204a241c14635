import type { HandoffDraft } from '@continuity/contract/handoff';
import {
  type Ask,
  askWithRepairs,
  createAsk,
  InvalidAnswerError,
  type ModelEndpoint,
} from '../../../inference/index.ts';
import { checkDraft } from '../check-draft.ts';
import { addOmissions } from '../omissions.ts';
import { type DraftRequest, type HandoffGenerator, InvalidDraftError } from '../port.ts';
import { answerSchema, toDraft } from './answer.ts';
import { fitEvidence, instructions, promptOf } from './prompt.ts';

interface ModelGeneratorOptions extends ModelEndpoint {
  /** Limit of requests for one answer while the endpoint is unreachable, retries included. */
  maxRequests: number;
  /** Limit of characters of evidence per request; longer evidence is truncated. 60,000 if left out. */
  maxInputCharacters?: number;
}

const defaultInputCharacters = 60_000;

/** Limit of further questions after an invalid draft (spec 30 §3.3.3). */
const maxRepairs = 1;

/** Creates a generator over an OpenAI-compatible endpoint (spec 30 §3.3). */
export function createModelHandoffGenerator(options: ModelGeneratorOptions): HandoffGenerator {
  const ask = createAsk(options);
  const { maxRequests, maxInputCharacters = defaultInputCharacters } = options;
  return {
    id: `model:${options.model}`,
    draft: async (request) => {
      const draft = await askForDraft(ask, request, maxRequests, maxInputCharacters);
      return addOmissions(draft, request, truncationOmissions(request, maxInputCharacters));
    },
  };
}

async function askForDraft(
  ask: Ask,
  request: DraftRequest,
  maxRequests: number,
  maxCharacters: number,
): Promise<HandoffDraft> {
  const { signal, onUsage } = request;
  try {
    return await askWithRepairs(
      ask,
      { maxRequests, maxRepairs },
      {
        name: 'handoff_draft',
        instructions,
        schema: answerSchema,
        prompt: (refused) => promptOf(request, maxCharacters, refused),
        read: (answer) => checkDraft(toDraft(answer, request), request),
        signal,
        onUsage,
      },
    );
  } catch (error) {
    // `read` throws InvalidDraftError. Any other invalid answer was not JSON of the required form.
    const isUnreadable = error instanceof InvalidAnswerError && !(error instanceof InvalidDraftError);
    throw isUnreadable ? new InvalidDraftError('output', error.message) : error;
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
