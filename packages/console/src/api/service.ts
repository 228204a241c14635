import { type CallOptions, type Client, createClient } from '@continuity/client';
import { reportAnswer, reportNoAnswer } from './connection.ts';
import { logRequest } from './requests.ts';
import { currentToken, requireToken } from './session.ts';
import { Slots } from './slots.ts';

/** Names of the operations as methods. */
export type CallName = Exclude<keyof Client, 'each' | 'enqueue' | 'waitForJob'>;
export type RequestTo<Name extends CallName> = NonNullable<Parameters<Client[Name]>[0]>;
export type AnswerOf<Name extends CallName> = Awaited<ReturnType<Client[Name]>>;

/** The API lies beside the console, behind whatever prefix a proxy removes (spec 60 §4.4). */
export const apiUrl = new URL('..', new URL('./', location.href)).href.replace(/\/$/, '');

/** Carries the operation from a call to the log. The header is never sent. */
const operationHeader = 'x-console-operation';

/** At most 6 calls at once (spec 60 §6.3). */
const slots = new Slots(6);

/** Limit of one attempt, in milliseconds. The time in the dialog Sign in does not count. */
const attemptMs = 60_000;
/** The client's own limit would count the time in the dialog. */
const noLimitMs = 2 ** 31 - 1;

const client = createClient({
  baseUrl: apiUrl,
  timeoutMs: noLimitMs,
  maxAttempts: 1,
  fetch: (input, init) => send(String(input), init ?? {}),
});

/** Calls an operation once. Throws the errors of the client. */
export function call<Name extends CallName>(
  name: Name,
  request: RequestTo<Name>,
  options: CallOptions = {},
): Promise<AnswerOf<Name>> {
  const operation = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const method = client[name] as (request: unknown, options: CallOptions) => Promise<AnswerOf<Name>>;
  return method(request, { ...options, headers: { ...options.headers, [operationHeader]: operation } });
}

/** Sends a request. After a 401 it waits for the dialog Sign in, and sends it again. */
async function send(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const operation = headers.get(operationHeader) ?? '';
  headers.delete(operationHeader);
  const { method = 'GET', body, signal } = init;
  for (;;) {
    const token = currentToken();
    const complete = logRequest({
      operation,
      method,
      url,
      headers: [...headers].filter(([name]) => name !== 'authorization'),
      body: typeof body === 'string' ? body : undefined,
    });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    const response = await slots
      .run(() => sendOnce(url, { ...init, headers }, signal), signal)
      .catch((error) => {
        complete({ status: null, requestId: null });
        if (!signal?.aborted) reportNoAnswer();
        throw error;
      });
    complete({ status: response.status, requestId: response.headers.get('x-service-request-id') });
    await reportAnswer(response);
    if (response.status !== 401) return response;
    if (currentToken() === token) await requireToken();
    signal?.throwIfAborted();
  }
}

function sendOnce(url: string, init: RequestInit, signal: AbortSignal | null | undefined): Promise<Response> {
  const limit = AbortSignal.timeout(attemptMs);
  return fetch(url, {
    ...init,
    cache: 'no-store',
    signal: signal === null || signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
}

/** A key for `Idempotency-Key`. `crypto.randomUUID` exists over HTTPS and on this machine only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
