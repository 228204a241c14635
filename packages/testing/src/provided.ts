/** Store of the queue in a part of a test run. */
export type QueueBackend = 'redis' | 'postgres';

/** Servers that the global setup started, for the helpers in the test workers. */
export type Harness = {
  /** Name of this run: a prefix of the databases and Redis keys that its tests create. */
  run: string;
  /** URL of a database whose user may create and drop databases. */
  adminUrl: string;
  /** Name of the migrated database from which test databases are copied. */
  template: string;
  /** Undefined on a machine without Redis. */
  redisUrl: string | undefined;
};

declare module 'vitest' {
  interface ProvidedContext {
    harness: Harness;
    queueBackend: QueueBackend;
    /** True in `npm run test:slow`. */
    isSlowRun: boolean;
  }
}
