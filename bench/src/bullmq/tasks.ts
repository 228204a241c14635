/** The queue and the database that both processes use. */
export interface QueueLocation {
  redisUrl: string;
  databaseUrl: string;
  queue: string;
  tenantId: number;
}

/** Adds `count` jobs, `atOnce` of them concurrently. */
export interface AddTask extends QueueLocation {
  count: number;
  atOnce: number;
}

/** `start` starts the worker; `finish` returns after it has completed `count` jobs. */
export type WorkTask =
  | ({ step: 'start'; concurrency: number } & QueueLocation)
  | { step: 'finish'; count: number };

/** Milliseconds since 1970: the start of the first job or the end of the last one. */
export type EpochMs = number;
