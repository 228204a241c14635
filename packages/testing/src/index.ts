export { type Certificates, makeCertificates } from './certificates.ts';
export {
  type CallInput,
  type Client,
  clientFor,
  fillPath,
  type OperationId,
  type RawReply,
  type Reply,
  readAnswer,
} from './client.ts';
export { type CollectedSpan, type Collector, startCollector } from './collector.ts';
export { cpuTimeOf, leastCpuTimeOf } from './cpu-time.ts';
export { createDatabase, type TestDatabase } from './database.ts';
export { type ReceivedError, readError } from './errors.ts';
export { longestHold, watchEventLoop } from './event-loop.ts';
export { freePort } from './free-port.ts';
export { ensureHelm, kubernetesDefinitions, kubernetesVersions } from './helm.ts';
export { NoAnswerError } from './http-request.ts';
export {
  embedAll,
  type InferenceStub,
  type StubList,
  startInferenceStub,
  stubDimension,
} from './inference-stub.ts';
export { watchResources } from './leaks.ts';
export { underLoad } from './machine-load.ts';
export { type MetricFamily, readOpenMetrics } from './open-metrics.ts';
export { startPgbouncer } from './pgbouncer.ts';
export { findPostgresPrograms } from './postgres-programs.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
export { type Standby, startStandby } from './postgres-standby.ts';
export { checkOutRelease } from './previous-release.ts';
export { type RunningProcess, runProcess } from './process.ts';
export { findPromtool } from './programs.ts';
export { hasRedis, type QueueBackend, queueEnvironment, redisFor, testBackend } from './redis.ts';
export { type RedisServer, startRedis } from './redis-server.ts';
export {
  type RedisTopologyServers,
  startRedisCluster,
  startRedisSentinels,
  startTlsRedis,
} from './redis-topologies.ts';
export type { StubAnswer } from './stub-completion.ts';
export { embedText } from './stub-embedding.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { temporaryDirectory } from './temporary.ts';
export { waitUntil } from './wait.ts';
