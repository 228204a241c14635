import { fileURLToPath } from 'node:url';
import { refuseUsedPort, type Service } from '@continuity/kernel/process';
import { buildApp } from './app.ts';
import { EmbeddingModel } from './model/embedding-model.ts';
import { checkModelFiles } from './model/model-files.ts';
import { TextQueue } from './text-queue.ts';

/** The model in the repository and in the container image. */
export const modelFolder = fileURLToPath(new URL('../model', import.meta.url));

interface EmbedderOptions {
  /** Replaced by tests. */
  folder?: string;
}

/**
 * Opens the built-in model and listens on `HOST` and `PORT`. Returns the address `http://host:port`. Throws a `StartRefusedError` for a
 * model file that is missing or damaged, for a runtime that cannot be loaded, and for a port that is in use.
 */
export async function startEmbedder(
  { settings, logger, resources }: Service,
  { folder = modelFolder }: EmbedderOptions = {},
): Promise<string> {
  const model = await EmbeddingModel.open(checkModelFiles(folder), settings.EMBEDDER_THREADS);
  resources.onClose('model', () => model.close());
  const app = buildApp(new TextQueue(model, settings.EMBEDDER_THREADS), logger);
  const { HOST: host, PORT: port } = settings;
  const url = await refuseUsedPort(app.listen({ host, port }), { host, port, setting: 'PORT' });
  resources.onClose('requests', () => app.close(), 'grace');
  return url;
}
