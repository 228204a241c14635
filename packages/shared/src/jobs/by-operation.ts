import type { JobHandler } from './run.ts';

/** One handler for a queue that several operations share. A job of an operation without one fails. */
export function byOperation(handlers: Readonly<Record<string, JobHandler>>): JobHandler {
  return async (job, context) => {
    const handler = handlers[job.operation];
    if (handler === undefined) throw new Error(`No handler runs the operation ${job.operation}.`);
    await handler(job, context);
  };
}
