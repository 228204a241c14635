import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { jsonOfAnswer } from './answer-text.ts';
import { limitedFetch } from './limited-fetch.ts';
import type { ModelAddress } from './model-endpoint.ts';

/** Limit of the answer of a model that the SDK does not know, in tokens. Anthropic's API requires one. */
const maxAnswerTokens = 16_000;

/** Models without structured output put thoughts before the JSON, or a code fence around it. */
const readJson: LanguageModelMiddleware = {
  wrapGenerate: async ({ doGenerate }) => {
    const result = await doGenerate();
    const content = result.content.map((part) =>
      part.type === 'text' ? { ...part, text: jsonOfAnswer(part.text) } : part,
    );
    return { ...result, content };
  },
};

/** A model for `generateText`, with the settings that its API needs. */
export function openLanguageModel({ provider, baseURL, apiKey }: ModelAddress, name: string) {
  // Warnings of the SDK, such as of a temperature that a model ignores, would go to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const key = apiKey === undefined ? {} : { apiKey };
  if (provider === 'anthropic') {
    const model = createAnthropic({ baseURL, fetch: limitedFetch, ...key })(name);
    return {
      model: wrapLanguageModel({ model, middleware: readJson }),
      settings: { maxOutputTokens: maxAnswerTokens },
    };
  }
  const compatible = {
    name: 'inference',
    baseURL,
    supportsStructuredOutputs: true,
    fetch: limitedFetch,
    ...key,
  };
  const model = createOpenAICompatible(compatible)(name);
  return { model: wrapLanguageModel({ model, middleware: readJson }), settings: {} };
}
