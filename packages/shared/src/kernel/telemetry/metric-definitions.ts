import type { MetricOptions } from '@opentelemetry/api';

/**
 * Every metric of the service: name, unit (UCUM) and description. `open-metrics.ts` derives the names in `/metrics`.
 * Labels are closed sets (typed in `metrics.ts`): an operation, a queue, a status class; never a tenant or a Scope.
 */
interface Definition extends MetricOptions {
  name: string;
  unit: string;
  description: string;
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
    description: 'Time from a request to the end of its answer.',
    advice: seconds,
  },
  jobDuration: {
    name: 'continuity.job.duration',
    unit: 's',
    description: 'Time of one run of a job.',
    advice: seconds,
  },
  jobWait: {
    name: 'continuity.job.wait',
    unit: 's',
    description: 'Time from the request for a job to the start of a run.',
    advice: seconds,
  },
  jobsQueued: {
    name: 'continuity.jobs.queued',
    unit: '{job}',
    description: 'Jobs that requests put into a queue.',
  },
  jobsRequeued: {
    name: 'continuity.jobs.requeued',
    unit: '{job}',
    description: 'Jobs that were put into a queue again, after their worker was lost or a queue forgot them.',
  },
  queueDepth: {
    name: 'continuity.queue.depth',
    unit: '{job}',
    description: 'Jobs of the deployment that have not ended.',
  },
  queueOldest: {
    name: 'continuity.queue.oldest_age',
    unit: 's',
    description: 'Age of the oldest job that waits for a worker; 0 when none does.',
  },
  flushLag: {
    name: 'continuity.memory.flush_lag',
    unit: 's',
    description: 'For how long the oldest captured Source has been waiting for its flush; 0 when none does.',
  },
  sourcesParked: {
    name: 'continuity.sources.parked',
    unit: '{source}',
    description:
      'Sources that the model could not read: the built-in extractor did, or incubation passed over them. Counted up to 10,000.',
  },
  embeddingLag: {
    name: 'continuity.memory.embedding_lag',
    unit: 's',
    description: 'For how long the entries of a Scope have been due for their vectors; 0 where none are.',
  },
  embeddingsParked: {
    name: 'continuity.embeddings.parked',
    unit: '{entry}',
    description: 'Entries that the embedding model gave no vector for in six tries, counted up to 10,000.',
  },
  modelDuration: {
    name: 'continuity.model.request.duration',
    unit: 's',
    description: 'Time of one request to a model.',
    advice: seconds,
  },
  modelTokens: {
    name: 'continuity.model.tokens',
    unit: '{token}',
    description: 'Tokens sent to and received from models.',
  },
  poolConnections: {
    name: 'continuity.database.pool.connections',
    unit: '{connection}',
    description: 'Connections of this process to PostgreSQL.',
  },
  poolWaiting: {
    name: 'continuity.database.pool.waiting',
    unit: '{request}',
    description: 'Callers that wait for a free connection to PostgreSQL.',
  },
  processMemory: {
    name: 'process.memory.usage',
    unit: 'By',
    description: 'Memory of this process.',
  },
  eventLoopDelay: {
    name: 'nodejs.eventloop.delay',
    unit: 's',
    description: 'How late timers of this process ran since the last reading.',
  },
} satisfies Record<string, Definition>;
