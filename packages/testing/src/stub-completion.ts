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
