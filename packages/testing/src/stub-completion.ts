import type { IncomingHttpHeaders } from 'node:http';

/** A request for a completion, over either API. */
export interface StubRequest {
  /** `/v1/chat/completions`, or `/v1/messages` of Anthropic's API. */
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    temperature?: number;
    messages: { role: string; content: string }[];
    response_format?: { type: string };
  };
}

/** `content` is sent as the model's message, `body` unchanged; `hang` never answers. */
export type StubAnswer =
  | { content: string; usage?: { prompt_tokens: number; completion_tokens: number }; finishReason?: string }
  | { status: number; body: string }
  | { hang: true };

// Anthropic's Messages API, as far as the service uses it.

interface MessagesBody {
  model: string;
  max_tokens?: number;
  temperature?: number;
  system?: { type: 'text'; text: string }[];
  messages: { role: string; content: { type: string; text: string }[] }[];
  output_config?: { format?: { type: string } };
  tools?: { name: string }[];
}

interface ReadMessage {
  body: StubRequest['body'];
  /** The model must answer by calling the tool `json`. */
  usesTool: boolean;
}

/** Reads a request, or answers as the API refuses it. */
export function readMessage(
  headers: IncomingHttpHeaders,
  text: string,
): ReadMessage | { status: number; body: string } {
  if (headers['x-api-key'] === undefined) return refusal(401, 'authentication_error', 'x-api-key is missing');
  const {
    model,
    max_tokens,
    temperature,
    system = [],
    messages,
    output_config,
    tools,
  } = JSON.parse(text) as MessagesBody;
  if (headers['anthropic-version'] === undefined || max_tokens === undefined) {
    return refusal(400, 'invalid_request_error', 'anthropic-version and max_tokens are required');
  }
  const format = output_config?.format;
  return {
    body: {
      model,
      ...(temperature !== undefined && { temperature }),
      messages: [
        ...system.map((block) => ({ role: 'system', content: block.text })),
        ...messages.map(({ role, content }) => ({ role, content: content.map((one) => one.text).join('') })),
      ],
      ...(format !== undefined && { response_format: { type: format.type } }),
    },
    usesTool: tools?.some(({ name }) => name === 'json') === true,
  };
}

/** An answer of the stub in the form of this API. */
export function messageOf(answer: StubAnswer, usesTool: boolean): StubAnswer {
  if (!('content' in answer)) return answer;
  const { content, usage } = answer;
  const input = usesTool ? parseObject(content) : undefined;
  const block =
    input === undefined
      ? { type: 'text', text: content }
      : { type: 'tool_use', id: 'toolu_stub', name: 'json', input };
  const body = {
    id: 'msg_stub',
    type: 'message',
    role: 'assistant',
    model: 'stub',
    content: [block],
    stop_reason: input === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: usage?.prompt_tokens ?? 1, output_tokens: usage?.completion_tokens ?? 1 },
  };
  return { status: 200, body: JSON.stringify(body) };
}

function refusal(status: number, type: string, message: string) {
  return { status, body: JSON.stringify({ type: 'error', error: { type, message } }) };
}

function parseObject(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
