import type pg from 'pg';
import { withCallSpan } from '../telemetry/tracing.ts';
import type { Row, Statement } from './statement.ts';

/** Runs statements: each on its own on the pool, or in a transaction. */
export interface Sql {
  /** Runs a statement and answers its rows. */
  rows<R extends Row>(statement: Statement<R>, values: unknown[]): Promise<R[]>;
  /** Runs a statement and answers its first row. */
  first<R extends Row>(statement: Statement<R>, values: unknown[]): Promise<R | undefined>;
}

/** Statements of one open transaction. */
export interface Transaction extends Sql {
  /** Sends the last statement and COMMIT in one round trip. Nothing may run in this transaction after it. */
  commitWith<R extends Row>(statement: Statement<R>, values: unknown[]): Promise<R[]>;
}

/** Runs statements on a pool or a connection. */
export function sqlOver(queryable: pg.Pool | pg.ClientBase): Sql {
  const rows = async <R extends Row>({ name, text }: Statement<R>, values: unknown[]) =>
    (await asSpan(name, () => queryable.query<R>({ name, text, values }))).rows;
  return {
    rows,
    first: async <R extends Row>(statement: Statement<R>, values: unknown[]) =>
      (await rows(statement, values))[0],
  };
}

/** Splits `items` into parts of at most `size`, so that each fits into one statement. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** The span has the name of the statement and none of its values, which are content of callers (spec 20 M21). */
function asSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  return withCallSpan(name, statementAttributes, run);
}

const statementAttributes = { 'db.system.name': 'postgresql' };
