import { once } from 'node:events';
import type { Settings } from '@continuity/kernel/config';
import { serviceError } from '@continuity/kernel/errors';
import { withTimeLimit } from '@continuity/kernel/process';
import { openFailFastRedis, queueStoreOf } from '@continuity/kernel/queue';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

const windowSeconds = 60;

/** Limit of the wait of a request for Redis, in milliseconds. */
const redisLimitMs = 1_000;

/** Pause after a failure of Redis, in milliseconds, so that a hanging server delays few requests. */
const redisPauseMs = 5_000;

/** Counts a request. Throws 429 `rate_limited` beyond the limit of its tenant. */
type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Counts the requests of each tenant in windows of a minute (spec 00 §3). All gateways share the count in Redis; without Redis, or
 * while it does not answer, each counts its own. Answers carry the state of the count in `RateLimit-*`. Without a limit nothing is
 * counted. Requires an authenticated request.
 */
export function limitRate(app: FastifyInstance, settings: Settings): RateLimiter {
  const limit = settings.RATE_LIMIT_PER_MINUTE;
  if (limit === undefined) return async () => undefined;
  const own = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const shared = openSharedLimiter(app, settings, limit);
  let pausedUntil = 0;

  const countOf = async (key: string): Promise<Count> => {
    if (shared !== undefined && performance.now() >= pausedUntil) {
      try {
        return await consume(shared, key);
      } catch {
        // The queue's connection to the same server logs the failure.
        pausedUntil = performance.now() + redisPauseMs;
      }
    }
    return await consume(own, key);
  };

  return async ({ tenantId }, reply) => {
    const { isAllowed, remaining, resetSeconds } = await countOf(String(tenantId));
    reply.headers({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    if (isAllowed) return;
    reply.header('Retry-After', String(resetSeconds));
    throw serviceError('rate_limited', {
      message: `This tenant may send ${limit} requests a minute. Send this one again after the time in Retry-After.`,
      details: { limit_per_minute: limit },
    });
  };
}

interface Count {
  isAllowed: boolean;
  /** Requests that are left. */
  remaining: number;
  /** Time until the count begins anew. */
  resetSeconds: number;
}

/** Counts a request. Throws only if the store of the count fails. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<Count> {
  try {
    return toCount(await limiter.consume(key), true);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toCount(refusal, false);
    throw refusal;
  }
}

function toCount({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Count {
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return { isAllowed, remaining: Math.max(0, remainingPoints), resetSeconds };
}

/** Undefined without Redis. */
function openSharedLimiter(
  app: FastifyInstance,
  settings: Settings,
  points: number,
): RateLimiterAbstract | undefined {
  const { redisUrl, redis: topology, prefix } = queueStoreOf(settings, '');
  if (redisUrl === undefined) return undefined;
  const redis = openFailFastRedis(redisUrl, topology, redisLimitMs);
  // The queue's connection to the same server logs its failures.
  redis.on('error', () => undefined);
  // Until it is connected, this gateway would count its own requests.
  app.addHook('onReady', () => waitForFirstAttempt(redis));
  app.addHook('onClose', () => redis.disconnect());
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:rate`,
    points,
    duration: windowSeconds,
    inMemoryBlockOnConsumed: points + 1,
  });
}

/** Resolves when Redis is connected, the first attempt has failed, or the limit has passed. */
async function waitForFirstAttempt(redis: ReturnType<typeof openFailFastRedis>): Promise<void> {
  if (redis.status === 'ready') return;
  await withTimeLimit(once(redis, 'ready'), redisLimitMs).catch(() => undefined);
}
