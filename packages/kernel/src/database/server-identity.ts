import { SettingsError } from '../config/load.ts';
import { tables } from '../generated/tables.ts';
import { StartRefusedError } from '../process/run.ts';
import type { ServerIdentity } from '../process/service.ts';
import { pick } from './columns.ts';
import type { Database } from './database.ts';
import { openLongSession } from './session.ts';
import { deploymentStatement } from './statement.ts';

const selectServer = deploymentStatement(
  'deployment_server',
  'SELECT server, directory FROM deployment',
  pick(tables.deployment, 'server', 'directory'),
);

/**
 * Throws a `StartRefusedError` unless the database is the server that the process takes it for: two URLs that were exchanged, another first
 * server, or `DATABASE_URL` in place of `DATABASE_SERVERS_FILE`, would create tenants that exist elsewhere, or work for some tenants alone.
 */
export async function requireServer({ sql, server }: Pick<Database, 'sql' | 'server'>): Promise<void> {
  const known = await sql.first(selectServer, []);
  if (known?.server === (server?.name ?? null) && known?.directory === (server?.directory ?? null)) return;
  if (server === undefined)
    throw new StartRefusedError(
      `The database of DATABASE_URL is the server "${known?.server}" of a deployment with several: set DATABASE_SERVERS_FILE instead.`,
    );
  throw new StartRefusedError(
    known?.server == null
      ? `The database of the server "${server.name}" is new in DATABASE_SERVERS_FILE: migrate it by \`node dist/migrate.mjs\`, then start again.`
      : otherServer(server, known.server, known.directory),
  );
}

/**
 * Gives the database the name of its server, and with it the key of the cursors of the first server, so that a cursor outlives a move of its
 * tenant. Returns the key. Throws a `SettingsError` if the database has another name.
 *
 * @param cursorKey that of the first server; undefined for the first server itself
 */
export async function claimServer(
  databaseUrl: string,
  server: ServerIdentity,
  cursorKey?: Buffer,
): Promise<Buffer> {
  const client = await openLongSession(databaseUrl, 'continuity-migrate');
  try {
    await client.query(
      `UPDATE deployment SET server = $1, directory = $2, cursor_key = coalesce($3, cursor_key) WHERE server IS NULL`,
      [server.name, server.directory, cursorKey],
    );
    const { rows } = await client.query<{ server: string; directory: string; cursor_key: Buffer }>(
      'SELECT server, directory, cursor_key FROM deployment',
    );
    const [known] = rows;
    if (known === undefined) throw new Error('The table deployment is empty.');
    if (known.server !== server.name || known.directory !== server.directory)
      throw new SettingsError(otherServer(server, known.server, known.directory));
    return known.cursor_key;
  } finally {
    await client.end();
  }
}

function otherServer(expected: ServerIdentity, name: string, directory: string | null): string {
  return (
    `The database of the server "${expected.name}" in DATABASE_SERVERS_FILE is the server "${name}", and the directory of its deployment is ` +
    `on "${directory}", not on "${expected.directory}": correct the names, the URLs or the order in the file.`
  );
}
