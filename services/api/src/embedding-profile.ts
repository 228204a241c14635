import type { Settings } from '@continuity/kernel/config';
import { repeat } from '@continuity/kernel/process';
import type { Logger, Metrics } from '@continuity/kernel/telemetry';
import {
  createEmbedder,
  type Embedder,
  embeddingEndpoint,
  InferenceError,
  probeEmbedder,
} from '@continuity/shared/inference';
import { createQueryEmbedder, type QueryEmbedder } from '@continuity/shared/memory';
import { isMisconfigured, ModelCheck } from './model-check.ts';

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
  const endpoint = embeddingEndpoint(settings, metrics);
  return endpoint === undefined ? null : new EmbeddingProfileCheck(createEmbedder(endpoint), logger);
}
