import type { Issue } from '@continuity/contract';
import type { TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { TimeLimitError } from '@continuity/kernel/process';
import { PoolBusyError, ThreadEndedError, ThreadPool } from '@continuity/kernel/threads';
import type { SourceDefinition } from '../definition.ts';
import type { NamedJson, validationThread } from './validation-thread.ts';

/** Time limit of one validation, in milliseconds: of the schemas of a definition, or of the values of an observation (spec 10 §11.8). */
const limitMs = 1_000;

/** Heap limit of each thread, in MB. */
const heapMb = 128;

/** Limit of waiting validations, over all tenants. */
const maxWaiting = 256;

/** Limit of the wait for a thread, in milliseconds. With `limitMs`, it bounds the answer to a trivial observation to 2 s. */
const maxWaitMs = 1_000;

/**
 * Validates schemas of callers, and values against them, in threads of their own. A schema that takes long or much memory
 * fails alone, and never blocks the event loop.
 */
export class SchemaValidator {
  readonly #pool = new ThreadPool<typeof validationThread>({
    module: new URL('./validation-thread.ts', import.meta.url),
    heapMb,
    limitMs,
    maxWaiting,
    maxWaitMs,
  });

  /** Issues of the schemas of a definition. Throws 503 `runtime_not_ready` if no thread becomes free in time. */
  validateSchemas(tenantId: TenantId, definition: SourceDefinition): Promise<Issue[]> {
    return this.#validate(tenantId, definition, [], 'manifest');
  }

  /** As `validateSchemas`, for the values of an observation in the order of the definition's schemas. */
  validateValues(tenantId: TenantId, definition: SourceDefinition, values: NamedJson[]): Promise<Issue[]> {
    return this.#validate(tenantId, definition, values, 'observation');
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #validate(
    tenantId: TenantId,
    { fingerprint, schemas }: SourceDefinition,
    values: NamedJson[],
    path: string,
  ): Promise<Issue[]> {
    const named = schemas.map((json, index) => ({ path: schemaPath(index), json }));
    const run = () => this.#pool.run(tenantId, { fingerprint, schemas: named, values });
    try {
      return await run().catch((error: unknown) => {
        // Cached schemas of other definitions may have filled the heap. A new thread has none.
        if (error instanceof ThreadEndedError) return run();
        throw error;
      });
    } catch (error) {
      if (error instanceof TimeLimitError) return [{ path, message: `takes over ${limitMs} ms to validate` }];
      if (error instanceof ThreadEndedError)
        return [{ path, message: `takes over ${heapMb} MB to validate` }];
      if (error instanceof PoolBusyError) throw busyError(error);
      throw error;
    }
  }
}

function busyError(cause: PoolBusyError): ServiceError {
  const message = 'Too many schema validations are waiting. Retry after the time in Retry-After.';
  return serviceError('runtime_not_ready', { message, cause });
}

function schemaPath(index: number): string {
  return index === 0 ? 'manifest.source_schema' : `manifest.projections[${index - 1}].schema`;
}
