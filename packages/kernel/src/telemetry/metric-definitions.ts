import type { MetricOptions } from '@opentelemetry/api';

/**
 * Every metric of the service: name, unit (UCUM) and description. `open-metrics.ts` derives the names in `/metrics`.
 * Labels are closed sets (typed in `metrics.ts`): an operation, a queue, a status class; never a tenant or a Scope.
 */
interface Definition extends MetricOptions {
  name: string;
  unit: string;
  description: string;
  labels: readonly string[];
}

/** Histogram bounds of durations in seconds, from a look-up to a job that waits for a model. */
const seconds = {
  explicitBucketBoundaries: [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
  ],
};

export const metricDefinitions = {
  requestDuration: {
    name: 'continuity.request.duration',
    unit: 's',
    labels: ['operation', 'status'],
    description: 'Time from a request to the end of its answer.',
    advice: seconds,
  },
  requestErrors: {
    name: 'continuity.request.errors',
    unit: '{request}',
    labels: ['operation', 'code'],
    description: 'Requests that were answered with an error of the contract.',
  },
  jobDuration: {
    name: 'continuity.job.duration',
    unit: 's',
    labels: ['queue', 'outcome'],
    description: 'Time of one run of a job.',
    advice: seconds,
  },
  jobWait: {
    name: 'continuity.job.wait',
    unit: 's',
    labels: ['queue'],
    description: 'Time from the request for a job to the start of a run.',
    advice: seconds,
  },
  jobsQueued: {
    name: 'continuity.jobs.queued',
    unit: '{job}',
    labels: ['queue'],
    description: 'Jobs that requests added to a queue.',
  },
  jobsRequeued: {
    name: 'continuity.jobs.requeued',
    unit: '{job}',
    labels: ['queue'],
    description: 'Jobs that were added to a queue again, because a worker or the queue lost them.',
  },
  jobReruns: {
    name: 'continuity.job.reruns',
    unit: '{run}',
    labels: ['queue'],
    description: 'Runs that a worker repeated, because the database failed.',
  },
  queueDepth: {
    name: 'continuity.queue.depth',
    unit: '{job}',
    labels: ['queue', 'status'],
    description:
      'Jobs of the deployment that have not ended, counted up to 10,000 for each queue and status.',
  },
  queueOldest: {
    name: 'continuity.queue.oldest_age',
    unit: 's',
    labels: ['queue'],
    description: 'Age of the oldest job that waits for a worker; 0 if none waits.',
  },
  flushLag: {
    name: 'continuity.memory.flush_lag',
    unit: 's',
    labels: [],
    description: 'Age of the oldest captured Source that waits for its flush; 0 if none waits.',
  },
  sourcesParked: {
    name: 'continuity.sources.parked',
    unit: '{source}',
    labels: [],
    description: 'Sources that the model failed to process, counted up to 10,000.',
  },
  embeddingLag: {
    name: 'continuity.memory.embedding_lag',
    unit: 's',
    labels: [],
    description: 'Longest time that entries of a Scope have waited for their vectors; 0 if none wait.',
  },
  embeddingsParked: {
    name: 'continuity.embeddings.parked',
    unit: '{entry}',
    labels: [],
    description: 'Entries without a vector after six attempts, counted up to 10,000.',
  },
  ready: {
    name: 'continuity.ready',
    unit: '{check}',
    labels: ['check'],
    description: 'The checks of readiness: 1 if the part is ready, else 0.',
  },
  modelDuration: {
    name: 'continuity.model.request.duration',
    unit: 's',
    labels: ['purpose', 'outcome'],
    description: 'Time of one request to a model.',
    advice: seconds,
  },
  modelTokens: {
    name: 'continuity.model.tokens',
    unit: '{token}',
    labels: ['purpose', 'direction'],
    description: 'Tokens sent to and received from models.',
  },
  poolConnections: {
    name: 'continuity.database.pool.connections',
    unit: '{connection}',
    labels: ['state'],
    description: 'Connections of this process to PostgreSQL.',
  },
  poolWaiting: {
    name: 'continuity.database.pool.waiting',
    unit: '{request}',
    labels: [],
    description: 'Callers that wait for a free connection to PostgreSQL.',
  },
  processCpu: {
    name: 'process.cpu.time',
    unit: 's',
    labels: ['mode'],
    description: 'Processor time of this process.',
  },
  processMemory: {
    name: 'process.memory.usage',
    unit: 'By',
    labels: ['kind'],
    description: 'Memory of this process.',
  },
  eventLoopDelay: {
    name: 'nodejs.eventloop.delay',
    unit: 's',
    labels: ['quantile'],
    description: 'Delay of the event loop of this process since the last reading.',
  },
} satisfies Record<string, Definition>;

export type MetricId = keyof typeof metricDefinitions;

/** The name and the options of an instrument. */
export function instrumentOf(id: MetricId): { name: string; options: MetricOptions } {
  const { labels: _, name, ...options } = metricDefinitions[id];
  return { name, options };
}
