import type pg from 'pg';
import type { ColumnOf, ColumnsOf } from './columns.ts';

/**
 * Ends a subquery that PostgreSQL must run as it is written, row by row for `LATERAL`: the planner flattens no subquery with OFFSET. So
 * a plan has the same join order with and without statistics of the server.
 */
export const optimizationFence = 'OFFSET 0';

/** A row of a statement. */
export type Row = pg.QueryResultRow;

/** A statement that each connection prepares once, under its unique name. */
export interface Statement<R extends Row = Row> {
  readonly name: string;
  readonly text: string;
  readonly columns: Readonly<Record<string, ColumnOf<unknown>>>;
  /** Whether the statement serves the whole deployment and is not bound to a tenant. */
  readonly ofDeployment: boolean;
  /** For the compiler only; never set. */
  readonly row?: R;
}

/** The row type of a statement. */
export type RowOfStatement<S extends Statement> = NonNullable<S['row']>;

/** All statements of the loaded modules, for the test that checks each. */
export const declaredStatements: Statement[] = [];

/**
 * Declares a statement, which must bind `tenant_id`. `columns` describes its result; omit it for a statement without one:
 *
 *     const lockHead = statement(
 *       'lock_artifact_head',
 *       'SELECT head_revision FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR NO KEY UPDATE',
 *       pick(tables.artifacts, 'head_revision'),
 *     );
 *
 * A test prepares each statement and compares its columns with the declared ones.
 */
export function statement(name: string, text: string): Statement<never>;
export function statement<R extends Row>(name: string, text: string, columns: ColumnsOf<R>): Statement<R>;
export function statement(name: string, text: string, columns: Statement['columns'] = {}): Statement {
  return declare({ name, text, columns, ofDeployment: false });
}

/** Declares a statement that serves the whole deployment, such as a sweep, and is not bound to a tenant. */
export function deploymentStatement(name: string, text: string): Statement<never>;
export function deploymentStatement<R extends Row>(
  name: string,
  text: string,
  columns: ColumnsOf<R>,
): Statement<R>;
export function deploymentStatement(
  name: string,
  text: string,
  columns: Statement['columns'] = {},
): Statement {
  return declare({ name, text, columns, ofDeployment: true });
}

function declare(declared: Statement): Statement {
  declaredStatements.push(declared);
  return declared;
}
