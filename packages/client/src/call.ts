import { ConnectionError, isEnvelope, ServiceError, UnexpectedAnswerError } from './errors.ts';
import { rememberEtag } from './etags.ts';
import type { ClientOperation } from './operation.ts';
import { type PreparedRequest, prepareRequest } from './request.ts';
import { delayBeforeRetry, sleep } from './retry.ts';
import type { CallOptions, ClientOptions, OperationId } from './types.ts';

const defaultTimeoutMs = 60_000;
const defaultMaxAttempts = 4;

/** The signal of a call: that of its caller, and its time limit. */
export function signalOf({ timeoutMs = defaultTimeoutMs }: ClientOptions, options: CallOptions): AbortSignal {
  const limit = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
  return options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
}

/**
 * Sends a request until it is answered, and returns the body. Repeats what is safe to repeat. Throws `ServiceError`,
 * `ConnectionError`, `UnexpectedAnswerError`, or the reason of the signal.
 */
export async function call(
  client: ClientOptions,
  operation: ClientOperation,
  request: Record<string, unknown>,
  options: CallOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const prepared = prepareRequest(client.baseUrl, operation, request, options);
  const maxAttempts = client.maxAttempts ?? defaultMaxAttempts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(client, operation, prepared, options, signal);
    } catch (failure) {
      const delayMs = attempt < maxAttempts ? delayBeforeRetry(failure, attempt, operation) : undefined;
      if (delayMs === undefined) throw failure;
      await sleep(delayMs, signal);
    }
  }
}

async function send(
  client: ClientOptions,
  operation: ClientOperation,
  { url, method, headers, body }: PreparedRequest,
  options: CallOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const { token, fetch: send = fetch } = client;
  const bearer = typeof token === 'function' ? await token() : token;
  const sent = {
    ...client.headers?.(),
    ...options.headers,
    ...headers,
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  };
  const { response, text } = await receive(
    () => send(url, { method, headers: sent, signal, ...(body !== undefined && { body }) }),
    url,
    signal,
  );
  if (!isFromService(response)) throw new UnexpectedAnswerError(response.status, originOf(url));
  const answer = answerOf(response, text);
  if (!response.ok) {
    // Readiness answers 503 with its success shape.
    if (operation.id === 'get_readiness' && answer !== undefined && !isEnvelope(answer)) return answer;
    throw isEnvelope(answer)
      ? new ServiceError(answer, response)
      : new UnexpectedAnswerError(response.status, originOf(url));
  }
  if (answer === undefined) throw new UnexpectedAnswerError(response.status, originOf(url));
  if (typeof answer === 'object') client.checkAnswer?.(operation.id as OperationId, response.status, answer);
  rememberEtag(answer, response.headers);
  return answer;
}

/** Throws `ConnectionError` if the connection fails before the answer is complete. */
async function receive(
  request: () => Promise<Response>,
  url: string,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await request();
    return { response, text: await response.text() };
  } catch (cause) {
    signal.throwIfAborted();
    const reason = reasonOf(cause as Error);
    throw new ConnectionError(
      `${originOf(url) ?? 'The service'} did not answer${reason === undefined ? '' : ` (${reason})`}.`,
      { cause },
    );
  }
}

/** The origin of a URL, which holds no credentials; undefined for a relative URL. */
export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * Why the connection failed, such as `ECONNREFUSED`: the first code among the causes of an error of `fetch`, or the message of the
 * last cause. The message of the error itself may contain the URL with its credentials.
 */
function reasonOf({ cause }: { cause?: unknown }): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string') return code;
  return reasonOf(cause) ?? (cause.message === '' ? undefined : cause.message);
}

/**
 * Every answer of the service has the header. A browser hides it from pages of another origin, unless a proxy exposes it.
 */
function isFromService({ headers, type }: Response): boolean {
  return headers.has('x-service-request-id') || type === 'cors';
}

/** The answer of an operation: JSON, a page as text, or a Markdown report in the form of the JSON one. */
function answerOf(response: Response, text: string): unknown {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) return text;
  if (!type.startsWith('text/markdown')) return parse(text);
  return {
    format: 'markdown',
    report: null,
    markdown: text,
    selection_digest: response.headers.get('x-service-selection-digest'),
    report_digest: response.headers.get('x-service-report-digest'),
  };
}

/** Undefined for text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
