import type { OperationSpec } from '@continuity/contract';
import type { TenantId } from '@continuity/kernel/database';
import { invalidRequest, ServiceError, serviceError } from '@continuity/kernel/errors';
import { TimeLimitError } from '@continuity/kernel/process';
import { PoolBusyError, ThreadEndedError, ThreadPool, transferableBuffers } from '@continuity/kernel/threads';
import { type ReadMessage, readMessage } from '../mcp/message.ts';
import type { BodyResult, BodyTask, bodyThread } from './body-thread.ts';
import { readBody } from './parse-body.ts';

/** Bodies above this size, in bytes, are read in a thread. One of this size takes up to 15 ms, such as one of unknown fields. */
const inlineBytes = 64 * 1024;

/** Time limit of reading one body, in milliseconds. The largest ones take about a second, and longer on a busy machine. */
const defaultLimitMs = 30_000;

/** Heap limit of each thread, in MB. A body of a million empty objects takes 200 MB. */
const heapMb = 512;

/** Limit of the bodies that wait for a thread, over all tenants. */
const maxWaiting = 64;

/** Limit of the wait of a body for a thread, in milliseconds. */
const maxWaitMs = 10_000;

/** Parses, validates and prepares request bodies. Large ones are read in threads, so that they never block the event loop. */
export class BodyReader {
  readonly #pool: ThreadPool<typeof bodyThread>;

  /** `limitMs` is the time limit of reading one body in a thread, in milliseconds. */
  constructor({ limitMs = defaultLimitMs }: { limitMs?: number } = {}) {
    this.#pool = new ThreadPool({
      module: new URL('./body-thread.ts', import.meta.url),
      heapMb,
      limitMs,
      maxWaiting,
      maxWaitMs,
    });
  }

  /**
   * Parses and validates the body of a request, and prepares it if the operation has a preparation. Throws 422 for a wrong body, and 503
   * `runtime_not_ready` if no thread reads it in time.
   */
  async read(
    tenantId: TenantId,
    operation: OperationSpec,
    params: unknown,
    bytes: Buffer | undefined,
  ): Promise<unknown> {
    if (operation.body === undefined) return undefined;
    const given = bytes ?? Buffer.alloc(0);
    if (given.length <= inlineBytes) return readBody(operation, params, given);
    return await this.#readInThread(tenantId, { operation: operation.id, params, bytes: given });
  }

  /**
   * Reads a message of MCP. Throws 503 `runtime_not_ready` if no thread reads it in time.
   *
   * @param scope the Scope of a call that names none
   */
  async readMessage(
    tenantId: TenantId,
    bytes: Buffer | undefined,
    scope: string | undefined,
  ): Promise<ReadMessage> {
    const given = bytes ?? Buffer.alloc(0);
    if (given.length <= inlineBytes) return readMessage(given, scope);
    return (await this.#readInThread(tenantId, { operation: null, bytes: given, scope })) as ReadMessage;
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #readInThread(tenantId: TenantId, task: BodyTask): Promise<unknown> {
    const result = await this.#runInThread(tenantId, task);
    if ('error' in result) throw new ServiceError(result.error);
    return result.body;
  }

  async #runInThread(tenantId: TenantId, task: BodyTask): Promise<BodyResult> {
    try {
      // The thread takes the bytes over, unless they share their buffer.
      return await this.#pool.run(tenantId, task, transferableBuffers(task.bytes));
    } catch (error) {
      if (error instanceof ThreadEndedError) throw tooLarge();
      if (error instanceof PoolBusyError || error instanceof TimeLimitError) throw busy(error);
      throw error;
    }
  }
}

function tooLarge(): ServiceError {
  return invalidRequest([{ path: '', message: `takes over ${heapMb} MB to read. Send a smaller body.` }]);
}

function busy(cause: PoolBusyError | TimeLimitError): ServiceError {
  const message = 'The gateway is too busy to read large bodies. Retry after the time in Retry-After.';
  return serviceError('runtime_not_ready', { message, cause });
}
