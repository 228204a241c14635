import type pg from 'pg';
import { withSpan } from '../telemetry/tracing.ts';

/** A statement text that is prepared once a connection under its name. Names are unique in the service. */
export interface Statement {
  name: string;
  text: string;
}

/** Declares a statement. The row type is given where it is run. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** Anything that runs statements: the pool (each on its own), or a transaction. */
export interface Sql {
  /** Rows of a prepared statement. */
  rows<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** The first row of a prepared statement. */
  first<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row | undefined>;
}

/** Statements of one open transaction. */
export interface Transaction extends Sql {
  /** Sends the last statement and COMMIT in one round trip. Nothing may run in this transaction after it. */
  commitWith<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
}

export function sqlOver(queryable: pg.Pool | pg.ClientBase): Sql {
  const rows = async <Row extends pg.QueryResultRow>({ name, text }: Statement, values: unknown[]) =>
    (await asSpan(name, () => queryable.query<Row>({ name, text, values }))).rows;
  return {
    rows,
    first: async <Row extends pg.QueryResultRow>(one: Statement, values: unknown[]) =>
      (await rows<Row>(one, values))[0],
  };
}

/** Told by its name only: a statement's values are what the caller keeps (spec 20 M21). */
function asSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  return withSpan(name, { role: 'client', attributes: statementAttributes }, run);
}

const statementAttributes = { 'db.system.name': 'postgresql' };
