export { EmbeddingWorker, withoutEmbedder } from './worker.ts';
