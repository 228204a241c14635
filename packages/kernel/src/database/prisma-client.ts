import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject } from '@continuity/contract';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { prismaResults, tenantModels } from '../generated/prisma-results.ts';
import { withCallSpan } from '../telemetry/tracing.ts';

/** Prisma Client whose models have the types that statements answer, and whose queries have spans. */
export type Prisma = ReturnType<typeof createPrisma>;

/** Prisma Client on the connection of one open transaction. */
export type TransactionPrisma = Parameters<Parameters<Prisma['$transaction']>[0]>[0];

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type AdapterTransaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/** The connection that the Prisma transaction which starts in this asynchronous context uses. */
const openConnection = new AsyncLocalStorage<pg.PoolClient | undefined>();

/** Prisma sets a time limit on each transaction. The limits of the session and of the pool apply instead. */
const noTimeLimit = 2 ** 31 - 1;

/** Creates the Prisma Client of a pool. It refuses queries that are not bound to a tenant. */
export function createPrisma(pool: pg.Pool) {
  const postgres = new PrismaPg(pool);
  const plain = new PrismaClient({
    // Source code and values belong in no message.
    errorFormat: 'minimal',
    adapter: {
      provider: postgres.provider,
      adapterName: postgres.adapterName,
      connect: async () => joinable(await postgres.connect()),
    },
  });
  return plain.$extends(prismaResults).$extends({
    query: {
      $allOperations: async ({ model, operation, args, query }) => {
        requireTenant(model, operation, args);
        const name = model === undefined ? operation : `${model}.${operation}`;
        return await withCallSpan(name, {}, () => query(args));
      },
    },
  });
}

/**
 * Runs `work` with a Prisma Client whose queries run on `client`, in the transaction that is open there. Prisma neither
 * begins nor ends that transaction: the caller does.
 */
export function joinTransaction<T>(
  prisma: Prisma,
  client: pg.PoolClient,
  work: (prisma: TransactionPrisma) => Promise<T>,
): Promise<T> {
  return openConnection.run(client, () =>
    prisma.$transaction(
      // Transactions that `work` itself begins are its own.
      (transaction) => openConnection.run(undefined, () => work(transaction)),
      { timeout: noTimeLimit },
    ),
  );
}

/** An adapter whose transactions join the open connection of the context. Others begin one of their own. */
function joinable(adapter: Adapter): Adapter {
  const start = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = (isolationLevel) => {
    const client = openConnection.getStore();
    return client === undefined ? start(isolationLevel) : transactionOn(client);
  };
  return adapter;
}

async function transactionOn(client: pg.PoolClient): Promise<AdapterTransaction> {
  const adapter = await new PrismaPg(poolOf(client)).connect();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    // Prisma sends no COMMIT or ROLLBACK of its own.
    options: { usePhantomQuery: true },
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
    commit: async () => {},
    rollback: async () => {},
  };
}

/** The adapter converts values for pools only: this one has a single connection, which is checked out already. */
function poolOf(client: pg.PoolClient): pg.Pool {
  const pool = new pg.Pool();
  pool.query = ((...parameters: unknown[]) =>
    Reflect.apply(client.query, client, parameters)) as typeof pool.query;
  return pool;
}

/**
 * Throws for a Prisma query that no tenant bounds: it must have `tenantId` in its data, in its filter, or in the compound key
 * of its filter. `undefined` there is no filter to Prisma, and does not count.
 */
export function requireTenant(model: string | undefined, operation: string, args: unknown): void {
  if (model === undefined || !tenantModels.has(model)) return;
  if (!bindsTenant(args)) throw new Error(`The query ${model}.${operation} is not bound to a tenant.`);
}

function bindsTenant(args: unknown): boolean {
  if (!isObject(args)) return false;
  const { where, data, create } = args;
  if (where === undefined) return isOfTenant(data);
  return isFilterOfTenant(where) && (create === undefined || isOfTenant(create));
}

function isFilterOfTenant(where: unknown): boolean {
  if (!isObject(where)) return false;
  return (
    isOfTenant(where) ||
    Object.entries(where).some(([key, value]) => key.startsWith('tenantId_') && isOfTenant(value))
  );
}

function isOfTenant(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isOfTenant);
  return isObject(value) && typeof value['tenantId'] === 'number';
}
