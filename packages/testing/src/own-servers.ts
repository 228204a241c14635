// What runs servers without a test runner: for programs that start and stop their own.
export { leash, unleash } from './leash.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
export { type RedisServer, startRedis } from './redis-server.ts';
export { temporaryDirectory } from './temporary.ts';
export { waitUntil } from './wait.ts';
