import { isDeepStrictEqual } from 'node:util';
import type { Statement } from '@continuity/kernel/database';
import type pg from 'pg';

/** A column of a statement's result, as the server describes it. */
export interface DescribedColumn {
  name: string;
  /** As `format_type` spells it, without a modifier. */
  type: string;
  /** The table's column that it is, unless it is computed. */
  source?: { table: string; column: string; isNullable: boolean };
}

/** Prepares the statement without running it, and answers the columns of its result. */
export async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const fields = await parseAndDescribe(client, text);
  const { rows } = await client.query<{
    type: string;
    table: string | null;
    column: string;
    nullable: boolean;
  }>(
    `SELECT format_type(f.type, NULL) AS type, c.relname AS table, a.attname AS column, NOT a.attnotnull AS nullable
     FROM unnest($1::oid[], $2::oid[], $3::int[]) WITH ORDINALITY AS f(type, relation, attribute, place)
     LEFT JOIN pg_class c ON c.oid = f.relation
     LEFT JOIN pg_attribute a ON a.attrelid = f.relation AND a.attnum = f.attribute AND a.attnum > 0
     ORDER BY f.place`,
    [
      fields.map((field) => field.dataTypeID),
      fields.map((field) => field.tableID),
      fields.map((field) => field.columnID),
    ],
  );
  return rows.map(({ type, table, column, nullable }, place) => ({
    name: fields[place]?.name ?? '',
    type,
    ...(table === null ? {} : { source: { table, column, isNullable: nullable } }),
  }));
}

/** A query of the extended protocol that stops before the statement is bound. */
function parseAndDescribe(client: pg.Client, text: string): Promise<pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: pg.FieldDef[] = [];
    let failure: Error | undefined;
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => {
        fields = message.fields;
      },
      handleError: (error: Error) => {
        failure = error;
      },
      handleReadyForQuery: () => (failure === undefined ? resolve(fields) : reject(failure)),
    });
  });
}

/**
 * Prepares a statement and compares the columns of its result with the declared ones. Answers undefined if they agree,
 * otherwise what differs or the error of the server.
 */
export async function columnMismatch(client: pg.Client, { text, columns }: Statement): Promise<unknown> {
  const described = await describeStatement(client, text).catch((error: Error) => error.message);
  if (typeof described === 'string') return described;
  const answered = Object.fromEntries(described.map(({ name, type }) => [name, type]));
  const declared = Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type]));
  return isDeepStrictEqual(answered, declared) ? undefined : { answered, declared };
}
