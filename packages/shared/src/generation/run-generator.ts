import { InferenceError, inferenceFailed } from '../inference/index.ts';

/** Runs a generator. Throws 503 `inference_unavailable` or `inference_timeout` if its model fails. */
export async function runGenerator<Content>(generate: () => Promise<Content>): Promise<Content> {
  try {
    return await generate();
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    throw inferenceFailed(error, 'No Candidate was made; ask again.');
  }
}
