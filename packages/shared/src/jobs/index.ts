export { byOperation } from './by-operation.ts';
export { commitFinishedJob, finishJob, finishStatement, JobLostError } from './finish.ts';
export { JobGateway, type JobGatewayOptions, openJobGateway } from './gateway.ts';
export { jobHandlers } from './handlers.ts';
export type { ClaimedJob, JobEvent, JobEventName, JobStatus, NewJob, OnJobEvent } from './job.ts';
export { acceptedJob, readJob } from './read.ts';
export type { JobContext, JobHandler, JobHandlers } from './run.ts';
export { acceptedAnswer, runQueued } from './run-queued.ts';
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts';
