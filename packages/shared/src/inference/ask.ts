import { type ModelEndpoint, type ModelUsage, observeRequest } from './model-endpoint.ts';
import type { Ask } from './question.ts';

/** Asks the model of an endpoint. */
export function createAsk(endpoint: ModelEndpoint): Ask {
  // The SDK takes 20 MB of memory: a process without a model does not load it.
  const loading = import('./ask-model.ts');
  return async (question) => {
    const { askModel } = await loading;
    const answered: ModelUsage[] = [];
    try {
      return await observeRequest(endpoint, () =>
        askModel(endpoint, question, (usage) => answered.push(usage)),
      );
    } finally {
      for (const usage of answered) {
        endpoint.onUsage?.(usage);
        await question.onUsage?.(usage);
      }
    }
  };
}
