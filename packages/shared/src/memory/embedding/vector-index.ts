import { type Epochs, openLongSession, PerEpoch } from '@continuity/kernel/database';
import type { Logger } from '@continuity/kernel/telemetry';
import type pg from 'pg';
import {
  indexExpression,
  indexName,
  indexType,
  maxExactVectors,
  maxIndexedDimensions,
} from '../../search/index.ts';
import { vectorTable } from '../search/vectors/index.ts';

/** First key of the advisory lock under which one worker builds an index; the second one is the profile. */
const buildLock = 72_707_371;

/** Pause before the next attempt if a build cannot start, in milliseconds: another worker builds, or the extension is missing. */
const retryMs = 60_000;

/**
 * Builds and drops the HNSW indexes of the deployment. A profile gets one as soon as a Scope has more than `maxExactVectors`
 * vectors: before that the index would slow down each write and serve no search.
 */
export class VectorIndex {
  readonly #databaseUrl: string;
  readonly #logger: Logger;
  /** Of this epoch, because a restored database may lack an index: the profiles with an index, and when a build may begin. */
  readonly #known: PerEpoch<{ built: Set<number>; notBefore: number }>;
  #building: Promise<void> | undefined;
  #client: pg.Client | undefined;
  #isStopping = false;

  constructor(databaseUrl: string, epochs: Epochs, logger: Logger) {
    this.#databaseUrl = databaseUrl;
    this.#known = new PerEpoch(epochs, () => ({ built: new Set(), notBefore: Number.NEGATIVE_INFINITY }));
    this.#logger = logger;
  }

  /** Starts a build in the background if a Scope has enough vectors (`embedded`) in a profile. */
  buildIfLarge(profileKey: number, dimension: number, embedded: number): void {
    if (embedded <= maxExactVectors || dimension > maxIndexedDimensions) return;
    const { built, notBefore } = this.#known.current;
    if (built.has(profileKey) || this.#building !== undefined) return;
    if (this.#isStopping || performance.now() < notBefore) return;
    this.#building = this.#build(profileKey, dimension)
      .catch((error) => this.#logger.warn({ err: error }, 'the build of the vector index failed'))
      .finally(() => {
        this.#building = undefined;
      });
  }

  /** Waits for a running build. */
  async waitForBuild(): Promise<void> {
    await this.#building;
  }

  /** Drops the index of an unused profile. */
  async drop(profileKey: number): Promise<void> {
    await this.#withSession((client) =>
      client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${indexName(vectorTable, profileKey)}`),
    );
  }

  /** Cancels a running build; the next one removes its invalid index. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const pid = (this.#client as (pg.Client & { processID: number | null }) | undefined)?.processID;
    if (this.#building !== undefined && pid != null)
      await this.#withSession((client) => client.query('SELECT pg_cancel_backend($1)', [pid]), false);
    await this.#building;
  }

  async #build(profileKey: number, dimension: number): Promise<void> {
    const known = this.#known.current;
    await this.#withSession(async (client) => {
      known.notBefore = performance.now() + retryMs;
      if (!(await hasIterativeScans(client))) return;
      const lock = await client.query('SELECT pg_try_advisory_lock($1, $2) AS is_mine', [
        buildLock,
        profileKey,
      ]);
      if (lock.rows[0]?.is_mine !== true) return;
      const name = indexName(vectorTable, profileKey);
      if (this.#isStopping) return;
      if (!(await isValid(client, name))) {
        await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
        await client.query(
          `CREATE INDEX CONCURRENTLY ${name} ON ${vectorTable.table}
           USING hnsw (${indexExpression(dimension)} ${indexType(dimension)}_cosine_ops)
           WHERE profile_key = ${profileKey}`,
        );
        this.#logger.info({ index: name }, 'the vector index was built');
      }
      known.built.add(profileKey);
    });
  }

  /** Runs `work` in a session without a statement timeout. `stop` cancels the work of a cancelable session. */
  async #withSession(work: (client: pg.Client) => Promise<unknown>, isCancelable = true): Promise<void> {
    const client = await openLongSession(this.#databaseUrl, 'continuity-vector-index');
    if (isCancelable) this.#client = client;
    try {
      await work(client);
    } finally {
      if (isCancelable) this.#client = undefined;
      await client.end();
    }
  }
}

/** Whether pgvector is installed in a version with iterative index scans. */
async function hasIterativeScans(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_extension WHERE extname = 'vector' AND to_regtype('vector') IS NOT NULL
       AND string_to_array(extversion, '.')::int[] >= '{0,8,0}'`,
  );
  return rows.length > 0;
}

async function isValid(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
    [name],
  );
  return rows.length > 0;
}
