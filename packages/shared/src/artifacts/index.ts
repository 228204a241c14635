export { artifactHandlers } from './handlers.ts';
