import { call, signalOf } from './call.ts';
import { ServiceError } from './errors.ts';
import { operations } from './generated/operations.ts';
import { waitForJob } from './jobs.ts';
import type { ClientOperation } from './operation.ts';
import { eachItem } from './pages.ts';
import type { CallOptions, ClientOptions, Enqueued, Iterators, Methods } from './types.ts';

/** A client of one service and one tenant. A method has the name of its operation's id in camel case. */
export interface Client extends Methods {
  /** Operations with a cursor, as iterators over the items of all pages. */
  each: Iterators;
  /** Queued operations that answer at once with their job. */
  enqueue: Enqueued;
  /** Polls a job until it ends, and returns its result. Throws `ServiceError` with the error of a job that failed. */
  waitForJob(jobId: string, options?: CallOptions): Promise<unknown>;
}

type Fields = Record<string, unknown>;

const table: Record<string, ClientOperation> = operations;

/** Creates a client. It opens no connection and holds no state but its options. */
export function createClient(options: ClientOptions): Client {
  const methods = mapOperations<Methods>(
    () => true,
    (operation) =>
      (request: Fields = {}, callOptions: CallOptions = {}) =>
        callAndWait(options, operation, request, callOptions),
  );
  const each = mapOperations<Iterators>(
    ({ items }) => items !== undefined,
    (operation) =>
      (request: Fields = {}, callOptions: CallOptions = {}) =>
        eachItem(options, operation, request, callOptions),
  );
  const enqueue = mapOperations<Enqueued>(
    ({ isQueued }) => isQueued === true,
    (operation) =>
      (request: Fields = {}, callOptions: CallOptions = {}) => {
        const headers = { ...callOptions.headers, prefer: 'respond-async' };
        return call(options, operation, request, { ...callOptions, headers }, signalOf(options, callOptions));
      },
  );
  return {
    ...methods,
    each,
    enqueue,
    waitForJob: (jobId, callOptions = {}) =>
      waitForJob(options, jobId, callOptions, signalOf(options, callOptions)),
  };
}

/** The methods of the wanted operations, by name. `toMethod` has the types of the contract only at run time. */
function mapOperations<Group extends object>(
  isWanted: (operation: ClientOperation) => boolean,
  toMethod: (operation: ClientOperation) => (request?: Fields, options?: CallOptions) => unknown,
): Group {
  const wanted = Object.entries(table).filter(([, operation]) => isWanted(operation));
  return Object.fromEntries(wanted.map(([name, operation]) => [name, toMethod(operation)])) as Group;
}

/** Calls an operation. Where the service stops waiting for a job, the client goes on until its own time limit. */
async function callAndWait(
  client: ClientOptions,
  operation: ClientOperation,
  request: Fields,
  options: CallOptions,
): Promise<unknown> {
  const signal = signalOf(client, options);
  try {
    return await call(client, operation, request, options, signal);
  } catch (failure) {
    const jobId = failure instanceof ServiceError ? jobOf(failure) : undefined;
    if (jobId === undefined) throw failure;
    return await waitForJob(client, jobId, options, signal);
  }
}

/** The job that goes on although its operation was answered with an error. */
function jobOf(error: ServiceError): string | undefined {
  if (error.is('job_timeout')) return error.details.job_id;
  return error.is('queue_unavailable') ? error.details.job_id : undefined;
}
