import { serviceError } from '@continuity/shared/kernel';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Limit of tenants in the table; beyond it, the least recently seen tenants are evicted. */
const countedTenants = 100_000;

/** Counts a request. Throws 429 `rate_limited` beyond the limit of its tenant. */
export type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Counts the requests of each tenant in windows of a minute, in this process (spec 00 §3). `perMinute` undefined: no
 * limit and no counting. Requires an authenticated request.
 */
export function limitRate(app: FastifyInstance, perMinute: number | undefined): RateLimiter {
  if (perMinute === undefined) return async () => undefined;
  app.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: 60_000,
    cache: countedTenants,
    keyGenerator: (request) => request.tenantId,
  });
  let check: ReturnType<FastifyInstance['createRateLimit']> | undefined;
  return async (request, reply) => {
    check ??= app.createRateLimit();
    const count = await check(request);
    if (count.isAllowed || !count.isExceeded) return;
    reply.header('Retry-After', String(Math.max(1, count.ttlInSeconds)));
    throw serviceError('rate_limited', {
      message: `This tenant may send ${perMinute} requests a minute. Send this one again after the time in Retry-After.`,
      details: { limit_per_minute: perMinute },
    });
  };
}
