export { type Certificates, makeCertificates } from './certificates.ts';
export {
  type CallInput,
  type Client,
  clientFor,
  fillPath,
  type OperationId,
  type RawReply,
  type ReceivedError,
  type Reply,
  readAnswer,
  readError,
} from './client.ts';
export { type CollectedSpan, type Collector, startCollector } from './collector.ts';
export { createDatabase, type TestDatabase } from './database.ts';
export { freePort } from './free-port.ts';
export { ensureHelm, kubernetesDefinitions, kubernetesVersions } from './helm.ts';
export { NoAnswerError } from './http-request.ts';
export {
  embedAll,
  embedText,
  type InferenceStub,
  type StubList,
  startInferenceStub,
  stubDimension,
} from './inference-stub.ts';
export { watchResources } from './leaks.ts';
export { underLoad } from './machine-load.ts';
export { type MetricFamily, readOpenMetrics } from './open-metrics.ts';
export { startPgbouncer } from './pgbouncer.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
export { type Standby, startStandby } from './postgres-standby.ts';
export { checkOutRelease } from './previous-release.ts';
export { type RunningProcess, runProcess } from './process.ts';
export { cpuTimeOf, leastCpuTimeOf, longestHold, watchEventLoop } from './processor-time.ts';
export { hasRedis, type QueueBackend, queueEnvironment, redisFor, testBackend } from './redis.ts';
export { type RedisServer, startRedis } from './redis-server.ts';
export {
  type RedisTopologyServers,
  startRedisCluster,
  startRedisSentinels,
  startTlsRedis,
} from './redis-topologies.ts';
export type { StubAnswer } from './stub-completion.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { temporaryDirectory } from './temporary.ts';
export { findPostgresPrograms, findPromtool } from './tools.ts';
export { waitUntil } from './wait.ts';
