import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

export const preparedContextName = 'prepared_context';

/** @param scope the Scope of a call that names none */
export function preparedContextPrompt(scope: string | undefined): Prompt {
  const scopeArgument =
    scope === undefined
      ? { description: 'The Scope.', required: true }
      : { description: `The Scope. Default ${scope}.`, required: false };
  return {
    name: preparedContextName,
    title: 'Prepared context',
    description: 'What the Scope knows that is relevant to a task, as one message.',
    arguments: [
      { name: 'scope_id', ...scopeArgument },
      { name: 'query', description: 'The words of the task.', required: true },
      { name: 'max_bytes', description: 'Limit of the text in bytes of UTF-8. Default 8000.' },
    ],
  };
}

/** Arguments of a prompt are strings; the operation takes `max_bytes` as a number. */
export function toPrepareArguments({ max_bytes, ...args }: Record<string, string>): Record<string, unknown> {
  return max_bytes === undefined ? args : { ...args, max_bytes: toNumber(max_bytes) };
}

/** Converts decimal digits. Returns any other text unchanged, so that the operation refuses it. */
function toNumber(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Returns the text as one user message; for an empty context no message, and the reason as the description. */
export function toMessages({
  content,
  words,
}: {
  content: string | null;
  words: string | undefined;
}): GetPromptResult {
  if (content === null) return { messages: [], ...(words !== undefined && { description: words }) };
  return { messages: [{ role: 'user', content: { type: 'text', text: content } }] };
}
