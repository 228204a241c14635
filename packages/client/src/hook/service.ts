import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { lazyModules } from './lazy-modules.ts';
import { readAll } from './read-all.ts';
import type { HookSettings } from './settings.ts';

/** A refusal of the service. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(status: number, message: string, code: string, details: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

type Send = (url: URL, options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => ClientRequest;

/** Calls the service. */
export class Service {
  readonly #settings: HookSettings;
  readonly #signal: AbortSignal;
  #agent: Agent | undefined;

  /** Requests end with the signal. */
  constructor(settings: HookSettings, signal: AbortSignal) {
    this.#settings = settings;
    this.#signal = signal;
  }

  get isOver(): boolean {
    return this.#signal.aborted;
  }

  /** Posts a request. Throws `Refusal` for an answer that is no success, another error without an answer. */
  post<Answer = Record<string, unknown>>(path: string, body: unknown): Promise<Answer> {
    return this.#call('POST', path, JSON.stringify(body)) as Promise<Answer>;
  }

  get<Answer = Record<string, unknown>>(path: string): Promise<Answer> {
    return this.#call('GET', path, undefined) as Promise<Answer>;
  }

  close(): void {
    this.#agent?.destroy();
  }

  async #call(method: string, path: string, body: string | undefined): Promise<unknown> {
    this.#signal.throwIfAborted();
    const { url, token } = this.#settings;
    const target = new URL(`${url}${path}`);
    const send = this.#sender(target);
    const headers = {
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(target, { method, headers, signal: this.#signal }, resolve);
      sent.on('error', (error) => reject(this.#signal.aborted ? this.#late() : error));
      sent.end(body);
    });
    return readAnswer(answer.statusCode ?? 0, await this.#read(answer));
  }

  async #read(answer: IncomingMessage): Promise<string> {
    try {
      return (await readAll(answer)).toString();
    } catch (error) {
      throw this.#signal.aborted ? this.#late() : error;
    }
  }

  #late(): Error {
    return new Error(`${this.#settings.url} did not answer in time.`);
  }

  #sender(url: URL): Send {
    const http = url.protocol === 'https:' ? lazyModules.https : lazyModules.http;
    this.#agent ??= new http.Agent({ keepAlive: true, maxSockets: 8 });
    const agent = this.#agent;
    return (target, options, onAnswer) => http.request(target, { ...options, agent }, onAnswer);
  }
}

function readAnswer(status: number, body: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new Refusal(status, `The address is not that of the service (HTTP ${status}).`, 'no_service', {});
  }
  if (status >= 200 && status < 300) return answer;
  const { error } = (answer ?? {}) as {
    error?: { code?: string; message?: string; details?: Record<string, unknown> };
  };
  throw new Refusal(status, error?.message ?? `HTTP ${status}`, error?.code ?? '', error?.details ?? {});
}
