import type { TenantId } from '@continuity/kernel/database';
import { TimeLimitError } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { ThreadEndedError, ThreadPool } from '@continuity/kernel/threads';
import type { ExtractionProfile } from '../port.ts';
import type { statementThread } from './statement-thread.ts';
import { type EvidenceText, type FoundStatements, findStatements } from './statements.ts';

/** Evidence of more characters is read in a thread. Hostile evidence of this length takes up to 25 ms, and prose 4 ms. */
const inlineLength = 8 * 1024;

/** Time limit of one piece of evidence, in milliseconds. 1 MiB takes up to 3 s. */
const limitMs = 60_000;

/** Heap limit of each thread, in MB. 1 MiB of short lines takes 300 MB. */
const heapMb = 512;

/** Finds statements in evidence. Reads long evidence in threads, so that heartbeats and other jobs of a worker continue. */
export class StatementFinder {
  readonly #logger: Logger;
  readonly #pool = new ThreadPool<typeof statementThread>({
    module: new URL('./statement-thread.ts', import.meta.url),
    heapMb,
    limitMs,
  });

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * The statements of evidence. Waits while the threads are busy. Finds nothing in evidence that exceeds the limit of time or
   * memory, and logs a warning: a later attempt would exceed it too.
   */
  async find(
    tenantId: TenantId,
    evidence: EvidenceText,
    profile: ExtractionProfile,
  ): Promise<FoundStatements> {
    if (evidence.json.length <= inlineLength) return findStatements(evidence, profile);
    try {
      return await this.#pool.run(tenantId, { evidence, profile });
    } catch (error) {
      if (!(error instanceof TimeLimitError || error instanceof ThreadEndedError)) throw error;
      this.#logger.warn(
        { err: error, tenant_id: tenantId },
        'the built-in extractor found no statements in a long Source: it exceeded its limit of time or memory',
      );
      return { statements: [], leftOut: { limit: 0, too_long: 1, credential: 0 }, beginning: '' };
    }
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
