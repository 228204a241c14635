export { EmbeddingWorker, type EmbeddingWorkerOptions, withoutEmbedder } from './worker.ts';
