export { modelFolder, startEmbedder } from './start-embedder.ts';
