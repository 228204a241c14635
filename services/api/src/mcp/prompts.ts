import type { PreparedContext } from '@continuity/contract/context';
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { callTool, readToolInput, wordsForMissing } from './call-tool.ts';
import { readHandoff } from './read-handoff.ts';
import type { McpSession } from './session.ts';

/** Arguments of a prompt are strings. */
type Arguments = Record<string, string>;

interface PromptSpec {
  title: string;
  description: string;
  /** Besides `scope_id`, which all have. */
  arguments: { name: string; description: string; required?: boolean }[];
  get(session: McpSession, args: Arguments): Promise<GetPromptResult>;
}

/** The prompts by their names (spec 00 §9, spec 70 §5.3). Texts come from operations, whose errors `get` throws. */
const prompts: Record<string, PromptSpec> = {
  prepared_context: {
    title: 'Prepared context',
    description: 'What the Scope knows that is relevant to a task, as one message.',
    arguments: [
      { name: 'query', description: 'The words of the task.', required: true },
      { name: 'max_bytes', description: 'Limit of the text in bytes of UTF-8. Default 8000.' },
    ],
    get: prepareContext,
  },
  continue_work: {
    title: 'Continue the work',
    description:
      'The latest Handoff of the Scope: where the work stands and what comes next, as one message.',
    arguments: [],
    get: continueWork,
  },
  hand_over: {
    title: 'Hand the work over',
    description: 'Asks the agent to record where the work stands, so that others can go on.',
    arguments: [],
    get: async ({ scope }, args) => messageOf(requestFor(args['scope_id'] ?? scope)),
  },
};

/** @param scope the Scope of a call that names none */
export function listPrompts(scope: string | undefined): Prompt[] {
  const scopeArgument =
    scope === undefined
      ? { name: 'scope_id', description: 'The Scope.', required: true }
      : { name: 'scope_id', description: `The Scope. Default ${scope}.` };
  return Object.entries(prompts).map(([name, { title, description, arguments: own }]) => ({
    name,
    title,
    description,
    arguments: [scopeArgument, ...own],
  }));
}

/** Throws a JSON-RPC error for an unknown prompt, and the errors of its operation. */
export async function getPrompt(
  session: McpSession,
  name: string,
  args: Arguments,
): Promise<GetPromptResult> {
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
  if (prompt === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  }
  return await prompt.get(session, args);
}

async function prepareContext(
  session: McpSession,
  { max_bytes, ...args }: Arguments,
): Promise<GetPromptResult> {
  const { handlers, caller, scope } = session;
  const limit = max_bytes === undefined ? {} : { max_bytes: toNumber(max_bytes) };
  const input = readToolInput('prepare_context', { ...args, ...limit }, scope);
  const answer = await callTool(handlers, caller, 'prepare_context', input);
  const { content } = answer as PreparedContext;
  return content === null ? nothing(wordsForMissing(input.body, answer)) : messageOf(content);
}

/** Converts decimal digits. Returns any other text unchanged, so that the operation refuses it. */
function toNumber(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

async function continueWork(session: McpSession, args: Arguments): Promise<GetPromptResult> {
  const { scope_id, ...others } = args;
  const text = await readHandoff(session, { ...others, ...(scope_id !== undefined && { scope_id }) });
  return text === undefined ? nothing('The Scope has no Handoff yet.') : messageOf(text);
}

function requestFor(scope: string | undefined): string {
  const named = scope === undefined ? '' : ` Its \`scope_id\` is ${JSON.stringify(scope)}.`;
  return (
    `Call the tool handoff_current_work with \`commit: true\`, so that another agent can go on without this conversation.${named} ` +
    'Give the objective, each fact of the present state as a statement of its own, the next action, and what you leave out. Mark as ' +
    '`verified` only what you checked and can cite.'
  );
}

/** One message of the user. */
function messageOf(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** No message, and why. */
function nothing(why: string | undefined): GetPromptResult {
  return { messages: [], ...(why !== undefined && { description: why }) };
}
