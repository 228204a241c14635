import { AsyncResource } from 'node:async_hooks';
import type { TenantId } from '@continuity/kernel/database';
import { canBeginInTurn, RoundRobinQueue, turnBudgetMs } from '@continuity/kernel/fairness';
import type { FastifyInstance } from 'fastify';

/**
 * Lets tenants take turns on the event loop. In each turn of the loop, a tenant begins steps of its requests and answers for at most a
 * millisecond. So the request of another tenant waits for one long step, such as the search of a very long query, and not for all.
 */
export function takeTurns(app: FastifyInstance): void {
  const waiting = new RoundRobinQueue<() => void>();
  let isScheduled = false;

  function run(tenantId: TenantId, step: () => void): void {
    if (waiting.sizeOf(tenantId) === 0 && canBeginInTurn(tenantId)) {
      step();
      return;
    }
    // The step runs in the trace of its request. `AsyncResource.bind` would cost 4 µs.
    const context = new AsyncResource('TenantTurn');
    waiting.add(tenantId, () => context.runInAsyncScope(step));
    runInNextTurn();
  }

  function runInNextTurn(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      runWaiting();
      if (waiting.size > 0) runInNextTurn();
    });
  }

  /** Begins steps until they have taken a millisecond together. So a long step is the last one of its turn. */
  function runWaiting(): void {
    const end = performance.now() + turnBudgetMs;
    for (let next = waiting.take(canBeginInTurn); next !== undefined; next = waiting.take(canBeginInTurn)) {
      next.item();
      if (performance.now() >= end) return;
    }
  }

  app.addHook('preHandler', (request, _reply, done) => run(request.tenantId, done));
  app.addHook('preSerialization', (request, _reply, payload, done) =>
    run(request.tenantId, () => done(null, payload)),
  );
}
