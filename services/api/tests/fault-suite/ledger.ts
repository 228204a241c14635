import type { GatewayName } from './deployment.ts';

/** A write whose result the checker can find. */
export interface Write {
  kind: WriteKind;
  /** Unique in the run, and part of what was written. */
  id: string;
  scope: string;
  /** Whether a gateway has answered it with success. Otherwise it may be stored once, or not at all. */
  isAnswered: boolean;
  /** Ids that the answer named. */
  answer: { jobId?: string; candidateId?: string };
  /** The fault that was injected last when the write was sent. */
  after: string;
}

export const writeKinds = [
  'remember',
  'capture',
  'flush',
  'artifact',
  'review',
  'activity',
  'generate',
  'report',
  'scan',
  'import',
  'publish',
  'reconcile',
] as const;
export type WriteKind = (typeof writeKinds)[number];

/** Whether an exchange is one of the load's writes, and not a read of health. */
export const isWrite = ({ kind }: Exchange): boolean => kind !== 'readiness' && kind !== 'liveness';

/** One request as its caller saw it. */
export interface Exchange {
  kind: WriteKind | 'readiness' | 'liveness';
  gateway: GatewayName;
  sentAt: number;
  /** Undefined while it is under way. */
  endedAt?: number;
  /** `cut` without an answer. */
  outcome?: 'success' | 'refused' | 'cut';
  code?: string;
}

/** Records what the load has sent and received. */
export class Ledger {
  readonly writes: Write[] = [];
  /** Answers that the contract does not allow, and cuts that no fault explains. */
  readonly surprises: string[] = [];
  readonly underWay = new Set<Exchange>();
  /** The name of the last fault. */
  fault = 'start';
  #ended: Exchange[] = [];
  /** Gateways whose connections may break, as their process was killed, with the time of the kill. */
  readonly #killed = new Map<GatewayName, number>();

  write(kind: WriteKind, id: string, scope: string): Write {
    const write: Write = { kind, id, scope, isAnswered: false, answer: {}, after: this.fault };
    this.writes.push(write);
    return write;
  }

  begin(kind: Exchange['kind'], gateway: GatewayName): Exchange {
    const exchange: Exchange = { kind, gateway, sentAt: performance.now() };
    this.underWay.add(exchange);
    return exchange;
  }

  end(exchange: Exchange, outcome: NonNullable<Exchange['outcome']>, code?: string): void {
    this.underWay.delete(exchange);
    Object.assign(exchange, { endedAt: performance.now(), outcome, code });
    this.#ended.push(exchange);
    if (outcome === 'cut' && !this.#isExplained(exchange)) {
      this.surprises.push(`${exchange.kind} was cut by ${exchange.gateway} after "${this.fault}": ${code}`);
    }
  }

  /** A gateway is killed: what it has not answered is cut, and it refuses connections until `cameBack`. */
  killed(gateway: GatewayName): void {
    this.#killed.set(gateway, Number.POSITIVE_INFINITY);
  }

  cameBack(gateway: GatewayName): void {
    this.#killed.set(gateway, performance.now());
  }

  /** Takes the exchanges that have ended since the last call. */
  takeEnded(): Exchange[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  /** The kinds of writes without a success that was answered after `since`. */
  unservedSince(since: number): WriteKind[] {
    const served = new Set(
      this.#ended
        .filter(({ outcome, endedAt = 0 }) => outcome === 'success' && endedAt > since)
        .map(({ kind }) => kind),
    );
    return writeKinds.filter((kind) => !served.has(kind));
  }

  #isExplained({ gateway, sentAt }: Exchange): boolean {
    return sentAt <= (this.#killed.get(gateway) ?? Number.NEGATIVE_INFINITY);
  }
}
