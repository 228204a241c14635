/** Where the queue of the project under test is kept. */
export type QueueBackend = 'redis' | 'postgres';

/** What the global setup started, for the helpers in the test workers. */
export type Harness = {
  /** Names this run; databases and Redis keys made by its tests carry it. */
  run: string;
  /** A database from which others may be created and dropped. */
  adminUrl: string;
  /** Name of the migrated database that test databases are copies of. */
  template: string;
  redisUrl: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    harness: Harness;
    queueBackend: QueueBackend;
  }
}
