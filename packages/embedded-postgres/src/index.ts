export { reachableDirectory } from './account.ts';
export { freePort } from './port.ts';
export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';
