import { availableParallelism } from 'node:os';
import { type Issue, TimeLimitError } from '@continuity/shared/kernel';
import { ThreadEndedError, ThreadPool } from '@continuity/shared/kernel/threads';
import type { SourceDefinition } from '../definitions/definition.ts';
import type { NamedJson, SchemaAnswer, SchemaTask } from './tasks.ts';

/** What one evaluation may take (spec 10 §11.8): of all schemas of a manifest, or of one observation against them. */
const limitMs = 1_000;

/** Heap of each thread. */
const heapMb = 128;

/** Threads for schemas: two at least, so that one tenant never has them all, and few, because they are small work. */
const threads = Math.max(2, Math.min(4, availableParallelism()));

/** Reads and applies schemas of callers in threads of their own: they may be made to take long, and hold up nobody else. */
export class SchemaJudge {
  readonly #pool = new ThreadPool<SchemaTask, SchemaAnswer>({
    module: new URL('./thread.ts', import.meta.url),
    size: threads,
    limitMs,
    heapMb,
  });

  /** What is wrong with the schemas of a definition. */
  issuesOfSchemas(tenantId: number, definition: SourceDefinition): Promise<Issue[]> {
    return this.#judge(tenantId, definition, [], 'manifest');
  }

  /** What is wrong with the values of an observation, in the order of the definition's schemas. */
  issuesOfValues(tenantId: number, definition: SourceDefinition, values: NamedJson[]): Promise<Issue[]> {
    return this.#judge(tenantId, definition, values, 'observation');
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #judge(
    tenantId: number,
    definition: SourceDefinition,
    values: NamedJson[],
    path: string,
  ): Promise<Issue[]> {
    try {
      // A thread that ran out of memory may have kept too much from before: what is asked now has an empty one once.
      return await this.#run(tenantId, definition, values).catch((error: unknown) => {
        if (error instanceof ThreadEndedError) return this.#run(tenantId, definition, values);
        throw error;
      });
    } catch (error) {
      if (error instanceof TimeLimitError) return [{ path, message: `takes over ${limitMs} ms to check` }];
      if (error instanceof ThreadEndedError) return [{ path, message: `takes over ${heapMb} MB to check` }];
      throw error;
    }
  }

  async #run(tenantId: number, definition: SourceDefinition, values: NamedJson[]): Promise<Issue[]> {
    const { fingerprint } = definition;
    const schemas = definition.schemas.map((json, index) => ({ path: schemaPath(index), json }));
    // Values alone are the usual task: that the schemas are already there is found out by asking.
    const first = values.length === 0 ? schemas : null;
    const answer =
      (await this.#pool.run(tenantId, { fingerprint, schemas: first, values })) ??
      (await this.#pool.run(tenantId, { fingerprint, schemas, values }));
    if (answer === null) throw new Error('A thread has the schemas and asks for them.');
    return answer;
  }
}

function schemaPath(index: number): string {
  return index === 0 ? 'manifest.source_schema' : `manifest.projections[${index - 1}].schema`;
}
