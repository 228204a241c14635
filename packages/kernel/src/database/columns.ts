declare const keyOf: unique symbol;

/**
 * A number that the compiler accepts as one kind of key alone. At run time it is a plain number. `scripts/generate.mjs` writes the
 * keys of the areas, from the names of their columns, to `generated/keys.ts`.
 */
export type Key<Kind extends string> = number & { readonly [keyOf]: Kind };

/**
 * `tenants.tenant_id`. Authentication finds it; every function below a route takes it as an argument. The kernel knows this key alone,
 * because connections, threads and turns are shared fairly between tenants.
 */
export type TenantId = Key<'tenant'>;

/** A column of a result: its PostgreSQL type, as `format_type` spells it, and the type of its values. */
export interface ColumnOf<Value> {
  readonly type: string;
  readonly isNullable: boolean;
  /** For the compiler only: no object has it. */
  readonly value: Value;
}

/** The columns of a row of a result. */
export type ColumnsOf<Row> = { readonly [Name in keyof Row]: ColumnOf<Row[Name]> };

/** The row of declared columns. */
export type RowOf<Columns extends Record<string, ColumnOf<unknown>>> = {
  -readonly [Name in keyof Columns]: Columns[Name]['value'];
};

/** A column whose values are `Value`, or null if `Null` is null. */
class Column<Value, Null extends null = never> implements ColumnOf<Value | Null> {
  declare readonly value: Value | Null;
  readonly type: string;
  readonly isNullable: boolean;

  constructor(type: string, isNullable = false) {
    this.type = type;
    this.isNullable = isNullable;
  }

  /** Returns the column as nullable, for an outer join. */
  orNull(): Column<Value, null> {
    return new Column(this.type, true);
  }

  /** Returns the column as never null, for a filter that excludes null. */
  notNull(): Column<Value> {
    return new Column(this.type);
  }

  /** Narrows the type of the values: a union of names, or the shape of a `jsonb`. The server does not check it. */
  as<Known extends Value>(): Column<Known, Null> {
    return new Column(this.type, this.isNullable);
  }

  /** Returns a column of arrays. */
  array(): Column<Value[]> {
    return new Column(`${this.type}[]`);
  }
}

/** Types of computed columns. */
export const column = {
  tenantId: new Column<TenantId>('integer'),
  text: new Column<string>('text'),
  uuid: new Column<string>('uuid'),
  boolean: new Column<boolean>('boolean'),
  smallint: new Column<number>('smallint'),
  integer: new Column<number>('integer'),
  bigint: new Column<number>('bigint'),
  real: new Column<number>('real'),
  double: new Column<number>('double precision'),
  /** A string: the value may have more digits than a number. */
  numeric: new Column<string>('numeric'),
  bytea: new Column<Buffer>('bytea'),
  varchar: new Column<string>('character varying'),
  json: new Column<unknown>('json'),
  jsonb: new Column<unknown>('jsonb'),
  date: new Column<Date>('date'),
  timestamptz: new Column<Date>('timestamp with time zone'),
  void: new Column<unknown>('void'),
};

/** Selects columns of a table. */
export function pick<Columns extends object, Name extends keyof Columns>(
  columns: Columns,
  ...names: Name[]
): Pick<Columns, Name> {
  const picked: Partial<Pick<Columns, Name>> = {};
  for (const name of names) picked[name] = columns[name];
  return picked as Pick<Columns, Name>;
}

/** The number of a `bigint` column. Throws where the number is not exact. */
export function safeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('A bigint column holds a number beyond 2^53.');
  return number;
}
