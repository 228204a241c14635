import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/** Address of a server. */
interface ServerAddress {
  host: string;
  port: number;
}

/** How the servers of a deployment's Redis are found and trusted. Without any field: one server, at the URL. */
export interface RedisTopology {
  /** Sentinels, for which the host of the URL is the name of a master. */
  sentinels?: ServerAddress[];
  sentinelPassword?: string;
  /** Nodes of a Redis Cluster, besides the host of the URL. */
  clusterNodes?: ServerAddress[];
  /** Certificates for a URL with `rediss:`, as PEM. Without `ca`, those that Node trusts. */
  certificates?: { ca?: string; cert?: string; key?: string };
}

/** Behavior of a connection. */
interface RedisBehavior {
  /** Whether commands wait while the connection is down. */
  enableOfflineQueue: boolean;
  /** Attempts of a command on lost connections; null: without a limit. */
  maxRetriesPerRequest: number | null;
  /** Limit of a connection attempt, in milliseconds. */
  connectTimeout?: number;
  /** Limit of a command, in milliseconds. */
  commandTimeout?: number;
  /** Returns the pause before attempt `times` to connect, in milliseconds; null gives up. */
  retryStrategy: (times: number) => number | null;
}

const defaultPort = 6379;

/** Pause of a cluster's connection before it sends a command again after a failover, in milliseconds. It does so 16 times. */
const clusterRetryMs = 250;

/** Connects to the Redis at `url`. */
export function openRedis(url: string, topology: RedisTopology, behavior: RedisBehavior): Redis | Cluster {
  const connection = redisConnection(url, topology, behavior);
  if (!(connection instanceof Cluster)) return new Redis(connection);
  // The first attempt's failure is an event, too.
  void connection.connect().catch(() => undefined);
  return connection;
}

/** The options of a connection to the Redis at `url`, or a cluster that is not connected yet. */
export function redisConnection(url: string, topology: RedisTopology, behavior: RedisBehavior) {
  const { host, port, ...credentials } = serverOf(url, topology);
  const { sentinels, sentinelPassword, clusterNodes } = topology;
  if (clusterNodes !== undefined) return clusterOf([{ host, port }, ...clusterNodes], credentials, behavior);
  if (sentinels === undefined) return { host, port, ...credentials, ...behavior };
  return {
    ...credentials,
    ...behavior,
    sentinels,
    name: host,
    sentinelRetryStrategy: behavior.retryStrategy,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(credentials.tls !== undefined && { enableTLSForSentinelMode: true, sentinelTLS: credentials.tls }),
    // Without it, a connection to a master that hangs survives the failover.
    failoverDetector: true,
    Connector: LastingSentinelConnector,
    // A former master refuses writes until it stops being one.
    reconnectOnError: isReadOnly,
  };
}

function clusterOf(
  nodes: ServerAddress[],
  { db: _db, ...credentials }: Credentials,
  { enableOfflineQueue, retryStrategy, ...behavior }: RedisBehavior,
): Cluster {
  return new Cluster(nodes, {
    lazyConnect: true,
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    retryDelayOnFailover: clusterRetryMs,
    retryDelayOnClusterDown: clusterRetryMs,
    // A certificate is for a name, so the name is not replaced by its address.
    ...(credentials.tls !== undefined && { dnsLookup: (name, found) => found(null, name) }),
    redisOptions: { ...credentials, ...behavior },
  });
}

interface Credentials {
  username?: string;
  password?: string;
  db?: number;
  tls?: ConnectionOptions;
}

/** The parts of a URL like `rediss://user:password@host:6379/0`. */
function serverOf(url: string, { certificates }: RedisTopology): ServerAddress & Credentials {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const db = Number(pathname.slice(1));
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? defaultPort : Number(port),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(db > 0 && { db }),
    ...(protocol === 'rediss:' && { tls: { ...certificates } }),
  };
}

function isReadOnly(error: Error): boolean {
  return error.message.startsWith('READONLY');
}

/**
 * Finds the master for each connection of a client. The connector of ioredis ends the client for good if Sentinels announce a failover
 * while it looks for the master: the failover detector of the lost connection still listens, and stops the search.
 */
export class LastingSentinelConnector extends SentinelConnector {
  /** Takes the options of the client. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(...input: Parameters<SentinelConnector['connect']>) {
    // Ends the lost connection and its detector.
    this.disconnect();
    return super.connect(...input);
  }
}

export const evictionRefusal =
  'Redis evicts keys when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction.';

export const clusterRefusal =
  'REDIS_URL is the address of a node of a Redis Cluster: set REDIS_CLUSTER_NODES to one or more of its nodes as host:port.';

/** Whether a connection to one server has reached a node of a cluster, which refuses the keys of other nodes. */
export async function isClusterNode(redis: Redis | Cluster): Promise<boolean> {
  if (redis instanceof Cluster) return false;
  return /^cluster_enabled:1/m.test(await redis.info('cluster'));
}

/** Whether one of the servers may evict keys. A server that does not name its policy counts as one that does not. */
export async function readEviction(redis: Redis | Cluster): Promise<boolean> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  // Managed servers often refuse CONFIG.
  const memory = await Promise.all(servers.map((server) => server.info('memory')));
  return memory.map(policyIn).some((policy) => policy !== undefined && policy !== 'noeviction');
}

function policyIn(memory: string): string | undefined {
  return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
}
