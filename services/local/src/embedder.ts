import type { Settings } from '@continuity/kernel/config';
import { withTimeLimit } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { EndedTooEarlyError, ServiceProcess } from './service-process.ts';

/** Limit of the start of the embedder, which reads 80 MB from the disk, in milliseconds. */
const startMs = 20_000;

/** Niceness of the embedder: requests come first. Its process lowers its own priority too, but not that of its session. */
const niceness = 5;

/** The built-in embedder of the all-in-one service. */
export interface LocalEmbedder {
  /** Resolves to its address; to undefined if it cannot start: search is then by words, and one line has said why. Never rejects. */
  start(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** The embedder as a process of its own; undefined if the settings turn it off or name another one (spec 26 S14). */
export function localEmbedder(
  { EMBEDDER: isOn, EMBEDDER_URL: url, INFERENCE_EMBEDDING_MODEL: model }: Settings,
  inherited: NodeJS.ProcessEnv,
  logger: Logger,
): LocalEmbedder | undefined {
  if (!isOn || url !== undefined || model !== undefined) return undefined;
  const environment = { ...inherited, HOST: '127.0.0.1', PORT: '0' };
  const process = new ServiceProcess({ program: 'dist/embedder.mjs', environment, logger, niceness });
  return {
    async start() {
      try {
        const address = await withTimeLimit(process.start(), startMs);
        if (address === null) throw new Error('The embedder reported no address.');
        // After a crash it listens on the same port, which the other processes know.
        environment.PORT = new URL(address).port;
        return address;
      } catch (error) {
        // A process that ended by itself has printed why.
        const hasSaidWhy = error instanceof EndedTooEarlyError && error.exitCode !== null;
        if (!hasSaidWhy) logger.warn({ err: error }, 'the embedder did not start; search is by words');
        await process.stop();
        return undefined;
      }
    },
    stop: () => process.stop(),
  };
}
