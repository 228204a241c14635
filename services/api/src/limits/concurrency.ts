import type { TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Seconds after which a refused request may try again. */
const retryAfterSeconds = 1;

/** Counts a request until its answer is sent or its caller has gone. Throws 429 `rate_limited` beyond the limit of its tenant. */
type ConcurrencyLimiter = (request: FastifyRequest, reply: FastifyReply) => void;

/** Limits the requests of each tenant that this process serves at the same time. `limit` undefined: no limit and no counting. */
export function limitConcurrency(limit: number | undefined): ConcurrencyLimiter {
  if (limit === undefined) return () => undefined;
  const running = new Map<TenantId, number>();
  return ({ tenantId }, reply) => {
    // The caller hung up during the authentication: its `close` event has passed.
    if (reply.raw.destroyed) return;
    const count = running.get(tenantId) ?? 0;
    if (count >= limit) {
      reply.header('Retry-After', String(retryAfterSeconds));
      throw serviceError('rate_limited', {
        message: `This tenant may have ${limit} requests running at the same time. Send this one again after the time in Retry-After.`,
        details: { concurrent_limit: limit },
      });
    }
    running.set(tenantId, count + 1);
    reply.raw.once('close', () => {
      const left = (running.get(tenantId) ?? 1) - 1;
      if (left > 0) running.set(tenantId, left);
      else running.delete(tenantId);
    });
  };
}
