import pg from 'pg';

/** A connection that sends each statement without its name, so that the server keeps none of them. */
export class UnnamedStatementsClient extends pg.Client {
  override query = ((query: unknown, ...rest: unknown[]) =>
    Reflect.apply(pg.Client.prototype.query, this, [withoutName(query), ...rest])) as pg.Client['query'];
}

function withoutName(query: unknown): unknown {
  const isNamed = typeof query === 'object' && query !== null && 'name' in query;
  return isNamed ? { ...query, name: undefined } : query;
}
