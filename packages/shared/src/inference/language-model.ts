import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';

/** The API of an endpoint. */
export type ModelProvider = 'openai-compatible' | 'anthropic';

/** Address and credentials of a model. */
export interface ModelAddress {
  /** Left out: OpenAI-compatible. */
  provider?: ModelProvider | undefined;
  /** With its version (`https://host/v1`). */
  baseURL: string;
  /** Left out: no header with a key. Anthropic needs one. */
  apiKey?: string | undefined;
}

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

/** The headers by which an endpoint of this API knows its caller. */
export function headersOf({ provider, apiKey }: Omit<ModelAddress, 'baseURL'>): Record<string, string> {
  if (apiKey === undefined) return {};
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { authorization: `Bearer ${apiKey}` };
}
