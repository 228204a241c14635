import type { Settings } from '@continuity/kernel/config';
import { repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { ConfiguredToken } from './configured-token.ts';
import { loadTokens } from './tokens.ts';

/** Time between two reads of the tokens file. */
const intervalMs = 10_000;

interface TokenReloaderOptions {
  settings: Settings;
  logger: Logger;
  /** Tokens that the gateway accepts. */
  loaded: readonly ConfiguredToken[];
  /** Makes the gateway accept other tokens. If it rejects, the gateway keeps the old ones. */
  accept: (tokens: readonly ConfiguredToken[]) => Promise<void>;
}

/**
 * Reads `AUTH_TOKENS_FILE` again every 10 s and on SIGHUP, so that a changed file takes effect without a restart. A file that is
 * not valid changes nothing and logs an error.
 */
export class TokenReloader {
  readonly #options: TokenReloaderOptions;
  #loaded: string;
  #failure: string | undefined;
  #round = Promise.resolve();
  readonly #polling = repeat(
    intervalMs,
    () => this.reload(),
    () => undefined,
  );
  readonly #onSignal = () => void this.reload();

  constructor(options: TokenReloaderOptions) {
    this.#options = options;
    this.#loaded = JSON.stringify(options.loaded);
    process.on('SIGHUP', this.#onSignal);
  }

  /** Never rejects: a failure is logged. Concurrent calls run one after the other. */
  reload(): Promise<void> {
    this.#round = this.#round.then(() => this.#reload()).catch((error: unknown) => this.#logFailure(error));
    return this.#round;
  }

  async stop(): Promise<void> {
    process.off('SIGHUP', this.#onSignal);
    await this.#polling.stop();
    await this.#round;
  }

  async #reload(): Promise<void> {
    const { settings, logger, accept } = this.#options;
    const tokens = await loadTokens(settings);
    const loaded = JSON.stringify(tokens);
    if (loaded !== this.#loaded) {
      await accept(tokens);
      this.#loaded = loaded;
      logger.info({ tokens: tokens.length }, 'reloaded the tokens file');
    }
    this.#failure = undefined;
  }

  /** Logs a failure once, not in each round that it lasts. */
  #logFailure(error: unknown): void {
    const failure = String(error);
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#options.logger.error({ err: error }, 'kept the old tokens: the tokens file cannot be loaded');
  }
}
