import type { QueueName } from '@continuity/contract';
import type { BatchObservableCallback, BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import { instrumentOf, type MetricId } from './metric-definitions.ts';

/** Metrics and traces of this process. */
export interface Telemetry {
  metrics: Metrics;
  /** The text of `/metrics`; empty in a process that neither exports its metrics nor serves them. */
  scrape(): Promise<string>;
  /** Exports what is pending and closes. Never rejects; it logs what was lost. */
  shutdown(): Promise<void>;
}

/** Label of a request's outcome. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'aborted';

/** A change of a job's state, reported after its commit. */
export interface JobEvent {
  queue: QueueName;
  event: 'queued' | 'claimed' | 'succeeded' | 'failed' | 'cancelled' | 'requeued' | 'rerun' | 'lost';
  /** `claimed`: time since the request. `succeeded`, `failed`, `cancelled`, `lost`: time of the run. Else 0. */
  ms: number;
}

/** Purpose of a model call. */
export type ModelPurpose = 'extraction' | 'candidates' | 'handoff' | 'report' | 'embedding' | 'rerank';

/** Outcome of a model call. */
type ModelOutcome = 'answered' | 'timeout' | 'unreachable' | 'refused' | 'invalid_output';

/** One value of a gauge, with its labels. */
export interface Reading {
  gauge: MetricId;
  value: number;
  labels?: Record<string, string>;
}

/** The connections of one pool. */
interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly queuedCount: number;
}

type Stop = () => void;

/** The instruments of this process. */
export class Metrics {
  readonly #meter: Meter;
  readonly #request;
  readonly #requestErrors;
  readonly #job;
  readonly #jobWait;
  readonly #jobsQueued;
  readonly #jobsRequeued;
  readonly #jobReruns;
  readonly #model;
  readonly #tokens;
  readonly #pools = new Set<PoolCounts>();

  constructor(meter: Meter) {
    this.#meter = meter;
    this.#request = histogram(meter, 'requestDuration');
    this.#requestErrors = counter(meter, 'requestErrors');
    this.#job = histogram(meter, 'jobDuration');
    this.#jobWait = histogram(meter, 'jobWait');
    this.#jobsQueued = counter(meter, 'jobsQueued');
    this.#jobsRequeued = counter(meter, 'jobsRequeued');
    this.#jobReruns = counter(meter, 'jobReruns');
    this.#model = histogram(meter, 'modelDuration');
    this.#tokens = counter(meter, 'modelTokens');
    this.#observePools();
  }

  /**
   * Records a request that has ended after `ms` milliseconds. `operation` is the id of an operation or the name of a page, never a
   * path; `code` is the code of an error answer.
   */
  recordRequest(operation: string, status: StatusClass, ms: number, code?: string): void {
    this.#request.record(ms / 1000, { operation, status });
    if (code !== undefined) this.#requestErrors.add(1, { operation, code });
  }

  recordJob({ queue, event, ms }: JobEvent): void {
    if (event === 'claimed') this.#jobWait.record(ms / 1000, { queue });
    else if (event === 'queued') this.#jobsQueued.add(1, { queue });
    else if (event === 'requeued') this.#jobsRequeued.add(1, { queue });
    else if (event === 'rerun') this.#jobReruns.add(1, { queue });
    else this.#job.record(ms / 1000, { queue, outcome: event });
  }

  /** Records a request to a model, which took `ms` milliseconds. */
  recordModelRequest(purpose: ModelPurpose, outcome: ModelOutcome, ms: number): void {
    this.#model.record(ms / 1000, { purpose, outcome });
  }

  /** Records the tokens of one answer; null if the endpoint did not report them. */
  recordModelTokens(purpose: ModelPurpose, input: number | null, output: number | null): void {
    if (input !== null) this.#tokens.add(input, { purpose, direction: 'input' });
    if (output !== null) this.#tokens.add(output, { purpose, direction: 'output' });
  }

  /** Observes the connections of a pool, added to those of the process's other pools. Returns a function that stops it. */
  watchPool(pool: PoolCounts): Stop {
    this.#pools.add(pool);
    return () => this.#pools.delete(pool);
  }

  /** Observes gauges at each collection. A failed read omits them from that collection. */
  watchGauges(ids: readonly MetricId[], read: () => Promise<Iterable<Reading>>): Stop {
    const gauges = new Map(ids.map((id) => [id, gauge(this.#meter, id)]));
    return this.#observe([...gauges.values()], async (result) => {
      for (const { gauge: id, value, labels } of await read()) {
        const observed = gauges.get(id);
        if (observed !== undefined) result.observe(observed, value, labels);
      }
    });
  }

  #observePools(): void {
    const connections = gauge(this.#meter, 'poolConnections');
    const waiting = gauge(this.#meter, 'poolWaiting');
    this.#observe([connections, waiting], (result) => {
      const sum = (count: (pool: PoolCounts) => number) =>
        [...this.#pools].reduce((total, pool) => total + count(pool), 0);
      result.observe(
        connections,
        sum(({ totalCount, idleCount }) => totalCount - idleCount),
        { state: 'in_use' },
      );
      result.observe(
        connections,
        sum(({ idleCount }) => idleCount),
        { state: 'idle' },
      );
      result.observe(
        waiting,
        sum(({ queuedCount }) => queuedCount),
      );
    });
  }

  #observe(gauges: Observable[], callback: (result: BatchObservableResult) => Promise<void> | void): Stop {
    const batch: BatchObservableCallback = callback;
    this.#meter.addBatchObservableCallback(batch, gauges);
    return () => this.#meter.removeBatchObservableCallback(batch, gauges);
  }
}

function histogram(meter: Meter, id: MetricId) {
  const { name, options } = instrumentOf(id);
  return meter.createHistogram(name, options);
}

function counter(meter: Meter, id: MetricId) {
  const { name, options } = instrumentOf(id);
  return meter.createCounter(name, options);
}

/** A gauge that is observed at each collection. */
export function gauge(meter: Meter, id: MetricId) {
  const { name, options } = instrumentOf(id);
  return meter.createObservableGauge(name, options);
}
