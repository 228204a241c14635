import { availableParallelism } from 'node:os';
import type { Issue } from '@continuity/contract';
import { TimeLimitError } from '@continuity/shared/kernel';
import { ThreadEndedError, ThreadPool } from '@continuity/shared/kernel/threads';
import type { SourceDefinition } from '../definitions/definition.ts';
import type { NamedJson, SchemaAnswer, SchemaTask } from './tasks.ts';

/** What one evaluation may take: of the values of one observation (spec 10 §11.8). */
const evaluationMs = 1_000;

/** What it may take to make the schemas of a definition ready: a megabyte of them, where it is much. */
const readingMs = 10_000;

/** Heap of each thread. */
const heapMb = 128;

/** Threads for schemas: two at least, so that one tenant never has them all, and few, because they are small work. */
const threads = Math.max(2, Math.min(4, availableParallelism()));

/** Reads and applies schemas of callers in threads of their own: they may be made to take long, and hold up nobody else. */
export class SchemaJudge {
  readonly #pool = new ThreadPool<SchemaTask, SchemaAnswer>({
    module: new URL('./thread.ts', import.meta.url),
    size: threads,
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
      if (error instanceof TimeLimitError) return [{ path, message: 'takes too long to check' }];
      if (error instanceof ThreadEndedError) return [{ path, message: `takes over ${heapMb} MB to check` }];
      throw error;
    }
  }

  async #run(tenantId: number, definition: SourceDefinition, values: NamedJson[]): Promise<Issue[]> {
    const { fingerprint } = definition;
    const schemas = definition.schemas.map((json, index) => ({ path: schemaPath(index), json }));
    const read = () => this.#pool.run(tenantId, { fingerprint, schemas, values: [] }, readingMs);
    const evaluate = () => this.#pool.run(tenantId, { fingerprint, schemas: null, values }, evaluationMs);
    if (values.length === 0) return known(await read());
    // Nearly always there is a thread that has the schemas: it is found out by asking. One that has just read them is the next
    // to be asked, unless another tenant's task comes between.
    for (let turn = 0; turn < threads; turn += 1) {
      const issues = await evaluate();
      if (issues !== null) return issues;
      const refusal = known(await read());
      if (refusal.length > 0) return refusal;
    }
    return known(await this.#pool.run(tenantId, { fingerprint, schemas, values }, readingMs + evaluationMs));
  }
}

/** The answer of a thread that was sent the schemas. */
function known(answer: SchemaAnswer): Issue[] {
  if (answer === null) throw new Error('A thread has the schemas and asks for them.');
  return answer;
}

function schemaPath(index: number): string {
  return index === 0 ? 'manifest.source_schema' : `manifest.projections[${index - 1}].schema`;
}
