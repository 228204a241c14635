export { reachableDirectory } from './account.ts';
export { availableMemory } from './memory.ts';
export { freePort } from './port.ts';
export { EmbeddedPostgres } from './server.ts';
