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
 * Throws a `StartRefusedError` unless the database is the server that the process takes it for, in a deployment with several: two URLs that
 * were exchanged, or another first server, would create tenants that exist elsewhere. Reads nothing in a deployment with one server.
 */
export async function requireServer({ sql, server }: Pick<Database, 'sql' | 'server'>): Promise<void> {
  if (server === undefined) return;
  const known = await sql.first(selectServer, []);
  if (known?.server === server.name && known.directory === server.directory) return;
  throw new StartRefusedError(
    known?.server == null
      ? `The database of the server "${server.name}" is new in DATABASE_SERVERS_FILE: migrate it by \`node dist/migrate.mjs\`, then start again.`
      : otherServer(server, known.server, known.directory),
  );
}

/** Gives the database the name of its server. Throws a `SettingsError` if it has another one. */
export async function claimServer(databaseUrl: string, server: ServerIdentity): Promise<void> {
  const client = await openLongSession(databaseUrl, 'continuity-migrate');
  try {
    await client.query('UPDATE deployment SET server = $1, directory = $2 WHERE server IS NULL', [
      server.name,
      server.directory,
    ]);
    const { rows } = await client.query<{ server: string; directory: string }>(
      'SELECT server, directory FROM deployment',
    );
    const [known] = rows;
    if (known === undefined) throw new Error('The table deployment is empty.');
    if (known.server !== server.name || known.directory !== server.directory)
      throw new SettingsError(otherServer(server, known.server, known.directory));
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
