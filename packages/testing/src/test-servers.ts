// Servers for programs that run without Vitest, such as the benchmarks.
export { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';
export { freePort } from './free-port.ts';
export { startPostgres } from './postgres-server.ts';
export { inheritedEnvironment } from './process.ts';
export { startRedis } from './redis-server.ts';
export { waitUntil } from './wait.ts';
