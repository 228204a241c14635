export { reachableDirectory } from './account.ts';
export { availableMemory } from './memory.ts';
export { freePort } from './port.ts';
export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';
