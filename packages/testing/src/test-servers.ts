// Servers for programs that run without Vitest, such as the benchmarks.
export { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';
export { freePort } from './free-port.ts';
export { inheritedEnvironment } from './inherited-environment.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
export { type RedisServer, startRedis } from './redis-server.ts';
export { temporaryDirectory } from './temporary.ts';
export { waitUntil } from './wait.ts';
