import { type Database, deploymentStatement, pick, tables } from '@continuity/kernel/database';

const selectCursorKey = deploymentStatement(
  'deployment_cursor_key',
  'SELECT cursor_key FROM deployment',
  pick(tables.deployment, 'cursor_key'),
);

/** Reads the key of the deployment's cursors, which all of its gateways share. */
export async function readCursorKey(database: Database): Promise<Buffer> {
  const row = await database.sql.first(selectCursorKey, []);
  if (row === undefined) throw new Error('The table deployment is empty.');
  return row.cursor_key;
}
