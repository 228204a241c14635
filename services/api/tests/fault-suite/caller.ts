import { setTimeout as sleep } from 'node:timers/promises';
import { type CallInput, type Client, clientFor, NoAnswerError, type OperationId } from '@continuity/testing';
import type { GatewayName } from './deployment.ts';
import type { Ledger, WriteKind } from './ledger.ts';

/** Pause before a request is sent again. */
const retryMs = 150;

/** A caller that records each request and its outcome. */
export class Caller {
  readonly gateway: GatewayName;
  readonly #client: Client;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, gateway: GatewayName, url: string) {
    this.#ledger = ledger;
    this.gateway = gateway;
    this.#client = clientFor(url);
  }

  /** The answer of a success or an expected conflict; undefined if the request was refused or cut. */
  async once<Id extends OperationId>(
    kind: WriteKind,
    operation: Id,
    input: CallInput<Id>,
    expected: readonly string[] = [],
  ): Promise<Awaited<ReturnType<typeof this.call<Id>>> | undefined> {
    const exchange = this.#ledger.begin(kind, this.gateway);
    let reply: Awaited<ReturnType<typeof this.call<Id>>>;
    try {
      reply = await this.call(operation, input);
    } catch (error) {
      const isCut = error instanceof NoAnswerError;
      const cause = error instanceof Error ? String(error.cause ?? error.message) : String(error);
      if (!isCut) this.#ledger.surprises.push(`${operation} after "${this.#ledger.fault}": ${String(error)}`);
      this.#ledger.end(exchange, 'cut', cause);
      return undefined;
    }
    const { status, error, headers } = reply;
    if (error === undefined || expected.includes(error.code)) {
      this.#ledger.end(exchange, 'success');
      return reply;
    }
    this.#ledger.end(exchange, 'refused', error.code);
    if (status !== 503 || !/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) {
      this.#ledger.surprises.push(
        `${operation} after "${this.#ledger.fault}": ${status} ${JSON.stringify(error)}, Retry-After ${headers.get('retry-after')}`,
      );
    }
    return undefined;
  }

  /** Sends a request that is safe to repeat until it is answered, or until `isOver`. */
  async untilAnswered<Id extends OperationId>(
    isOver: () => boolean,
    ...request: Parameters<typeof this.once<Id>>
  ): ReturnType<typeof this.once<Id>> {
    for (;;) {
      const reply = await this.once(...request);
      if (reply !== undefined || isOver()) return reply;
      await sleep(retryMs);
    }
  }

  call<Id extends OperationId>(operation: Id, input: CallInput<Id>) {
    return this.#client.call(operation, input);
  }
}
