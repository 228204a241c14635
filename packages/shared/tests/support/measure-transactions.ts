import type { Database } from '@continuity/kernel/database';
import { cpuTimeOf } from '@continuity/testing';

/** A database, and the processor time of the work in its transactions so far, in milliseconds. */
export function measureTransactions(database: Database): { measured: Database; spentMs: () => number } {
  let spentMs = 0;
  const measure = async <T>(work: () => Promise<T>): Promise<T> => {
    const results: T[] = [];
    spentMs += await cpuTimeOf(async () => void results.push(await work()));
    return results[0] as T;
  };
  const measured: Database = {
    ...database,
    transaction: (work) => database.transaction((sql) => measure(() => work(sql))),
    prismaTransaction: (work) =>
      database.prismaTransaction((transaction) => measure(() => work(transaction))),
  };
  return { measured, spentMs: () => spentMs };
}
