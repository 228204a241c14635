import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
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

/** Limit of characters of text around the JSON of an answer, such as `Here is the result:`. */
const maxAround = 2_000;

/**
 * The JSON in an answer of a model: without the thoughts before it (`<think>…</think>`, also without the opening tag), and without a
 * Markdown code fence. Any other text stays as it is. Linear.
 */
export function jsonOfAnswer(answer: string): string {
  const text = withoutThoughts(answer).trim();
  if (/^[{[]/.test(text)) return text;
  return fencedBlock(text) ?? text;
}

const tags = ['think', 'thinking', 'reasoning'];

/** The text behind the first closing tag, if the text begins with the opening tag, or if JSON follows the closing tag. */
function withoutThoughts(answer: string): string {
  if (/^\s*[{[]/.test(answer)) return answer;
  for (const tag of tags) {
    const end = `</${tag}>`;
    const at = answer.indexOf(end);
    if (at === -1) continue;
    const rest = answer.slice(at + end.length);
    if (answer.trimStart().startsWith(`<${tag}>`) || /^\s*(?:[{[]|```)/.test(rest)) return rest;
  }
  return answer;
}

/** The content of the only fenced block with little text around it. */
function fencedBlock(text: string): string | null {
  const open = /```[ \t]{0,4}\w{0,16}[ \t]{0,4}\r?\n/.exec(text);
  if (open === null || open.index > maxAround) return null;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf('```');
  const isClosed = end > start && text.length - end <= maxAround;
  return isClosed ? text.slice(start, end).trim() : null;
}
