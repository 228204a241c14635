import type { Settings } from '@continuity/kernel/config';
import { repeat, withTimeLimit } from '@continuity/kernel/process';
import type { Logger, Metrics } from '@continuity/kernel/telemetry';
import {
  type Embedder,
  generationAddress,
  generationEndpoint,
  InferenceError,
  openEmbedder,
  probeEmbedder,
  probeGeneration,
  rerankEndpoint,
} from '@continuity/shared/inference';
import {
  createEndpointReranker,
  createQueryEmbedder,
  createReranker,
  type QueryEmbedder,
  type Reranker,
} from '@continuity/shared/memory';

/** State of one dependency in readiness (spec 10 §2). */
export type Check = 'ready' | 'not_ready' | 'unavailable' | 'timeout' | 'misconfigured' | 'read_only';

/** Time limit of the probe of a model (spec 10 §2.2.3). */
const probeMs = 2_000;

/** Times to live of a cached result, in milliseconds. A failure that can end by itself has the shorter one. */
const settledCacheMs = 300_000;
const failureCacheMs = 30_000;

/** Probes a model. Coalesces concurrent checks and caches the result (spec 10 §2.2.3). */
export class ModelCheck {
  readonly #probe: () => Promise<void>;
  #result: Check = 'not_ready';
  #reason: string | null = null;
  #expiresAt = Number.NEGATIVE_INFINITY;
  #running: Promise<Check> | undefined;

  /** `probe` resolves if the model works as configured, else rejects with an `InferenceError`. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** Why the last result is not `ready`. Names no address, key or content. */
  get reason(): string | null {
    return this.#reason;
  }

  async read(): Promise<Check> {
    if (performance.now() < this.#expiresAt) return this.#result;
    this.#running ??= this.#runProbe().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  async #runProbe(): Promise<Check> {
    try {
      await withTimeLimit(this.#probe(), probeMs);
      this.#result = 'ready';
      this.#reason = null;
    } catch (error) {
      this.#result = checkOf(error);
      this.#reason = error instanceof InferenceError ? error.message : 'The model did not answer in time.';
    }
    const isSettled = this.#result === 'ready' || this.#result === 'misconfigured';
    this.#expiresAt = performance.now() + (isSettled ? settledCacheMs : failureCacheMs);
    return this.#result;
  }
}

/** HTTP status for too many requests. A retry can succeed, so it is not a misconfiguration. */
const tooManyRequests = 429;

function checkOf(error: unknown): Check {
  if (!(error instanceof InferenceError)) return 'timeout';
  if (error.reason === 'timeout') return 'timeout';
  return isMisconfigured(error) ? 'misconfigured' : 'unavailable';
}

/** Whether the endpoint answered with a failure that the operator must fix. */
export function isMisconfigured({ reason, status }: InferenceError): boolean {
  return reason === 'invalid_output' || (reason === 'refused' && status !== tooManyRequests);
}

/** The readiness check of the configured generation model, or null. */
export function openGenerationCheck(settings: Settings): ModelCheck | null {
  const address = generationAddress(settings);
  if (address === undefined) return null;
  return new ModelCheck(() => probeGeneration(address, AbortSignal.timeout(probeMs)));
}

/** Interval between checks until the endpoint is accepted, in milliseconds. A check may get a cached result: see `ModelCheck`. */
const retryMs = 30_000;

/**
 * The embedding profile of this process. It is rejected only if the endpoint answers and contradicts the settings: another
 * dimension, an unknown model, a wrong key. Then vector search is off and everything else works. An endpoint that is down at
 * start does not disable vector search, so that an outage of the provider does not change the capabilities.
 */
export class EmbeddingProfileCheck {
  readonly check: ModelCheck;
  readonly #embedder: Embedder;
  readonly #queries: QueryEmbedder;
  readonly #logger: Logger;
  #state: 'unknown' | 'accepted' | 'rejected' = 'unknown';
  #again = { stop: async () => {} };
  readonly #stopped = new AbortController();

  constructor(embedder: Embedder, logger: Logger) {
    this.#embedder = embedder;
    this.#queries = createQueryEmbedder(embedder);
    this.#logger = logger;
    this.check = new ModelCheck(() => this.#probe());
  }

  /** Embeds queries; null while the profile is rejected. */
  embedder(): QueryEmbedder | null {
    return this.#state === 'rejected' ? null : this.#queries;
  }

  /** Probes the endpoint for at most two seconds, then in the background until it is accepted. Never rejects. */
  async start(): Promise<void> {
    this.#again = repeat(
      retryMs,
      () => this.#probeAgain(),
      (error) => this.#warn(error),
    );
    await this.check.read();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#again.stop();
  }

  async #probeAgain(): Promise<void> {
    if (this.#state !== 'accepted') await this.check.read();
  }

  /** An accepted endpoint stays accepted; later failures are outages. */
  async #probe(): Promise<void> {
    try {
      await probeEmbedder(this.#embedder, this.#stopped.signal);
      this.#state = 'accepted';
    } catch (error) {
      if (this.#state !== 'accepted' && !this.#stopped.signal.aborted) this.#warn(error);
      if (this.#state === 'unknown' && error instanceof InferenceError && isMisconfigured(error))
        this.#state = 'rejected';
      throw error;
    }
  }

  #warn(error: unknown): void {
    const { model, dimension } = this.#embedder.profile;
    this.#logger.warn({ err: error, model, dimension }, 'the embedding model does not work as configured');
  }
}

/** The configured profile, or null. */
export function openEmbeddingProfile(
  settings: Settings,
  metrics: Metrics,
  logger: Logger,
): EmbeddingProfileCheck | null {
  const embedder = openEmbedder(settings, metrics);
  return embedder === undefined ? null : new EmbeddingProfileCheck(embedder, logger);
}

/** Hits that an endpoint scores, and that a generation model orders, where the setting is left out (spec 26 S11). */
const scoredPool = 50;
const orderedPool = 30;

/** The configured reranker, or null. */
export function openReranker(settings: Settings, metrics: Metrics): Reranker | null {
  const { MEMORY_RERANK_CANDIDATE_LIMIT: pool } = settings;
  const scorer = rerankEndpoint(settings, metrics);
  if (scorer !== undefined) return createEndpointReranker(scorer, pool ?? scoredPool);
  const endpoint = generationEndpoint(settings, metrics, 'rerank');
  if (!settings.MEMORY_RERANK_ENABLED || endpoint === undefined) return null;
  return createReranker(endpoint, pool ?? orderedPool);
}
