import pg from 'pg';
import { plannerSettings, vectorSettings } from './planner.ts';
import { openLongSession, sessionLimits } from './session.ts';

/**
 * Makes the settings of the service's sessions the defaults of its role in its database. A pooler in transaction mode gives each
 * transaction another session, so that a process cannot configure its own. All sessions get the planner settings then, those of
 * Prisma included. Sessions that the pooler has opened before keep theirs.
 */
export async function configureRole(directUrl: string): Promise<void> {
  const client = await openLongSession(directUrl, 'continuity-role');
  try {
    const { rows } = await client.query('SELECT current_database() AS database');
    const database = pg.escapeIdentifier(String(rows[0]?.database));
    const settings = {
      ...sessionLimits,
      ...plannerSettings,
      ...((await loadVectors(client)) && vectorSettings),
    };
    for (const [name, value] of Object.entries(settings))
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${pg.escapeLiteral(value)}`,
      );
  } finally {
    await client.end();
  }
}

/** Loads pgvector, so that its settings are known. False if the database has none with iterative scans. */
async function loadVectors(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'vector'");
  if (rows.length === 0) return false;
  await client.query("SELECT '[1]'::vector");
  const known = await client.query("SELECT FROM pg_settings WHERE name = 'hnsw.iterative_scan'");
  return known.rows.length > 0;
}
