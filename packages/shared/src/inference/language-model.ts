import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ModelAddress } from './model-address.ts';

/** Limit of the answer of a model that the SDK does not know, in tokens. Anthropic's API requires one. */
const maxAnswerTokens = 16_000;

/** A model for `generateText`, with the settings that its API needs. */
export function openLanguageModel({ provider, baseURL, apiKey }: ModelAddress, name: string) {
  // Warnings of the SDK, such as of a temperature that a model ignores, would go to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const key = apiKey === undefined ? {} : { apiKey };
  if (provider === 'anthropic') {
    const model: LanguageModel = createAnthropic({ baseURL, ...key })(name);
    return { model, settings: { maxOutputTokens: maxAnswerTokens } };
  }
  const compatible = { name: 'inference', baseURL, supportsStructuredOutputs: true, ...key };
  const model: LanguageModel = createOpenAICompatible(compatible)(name);
  return { model, settings: {} };
}
