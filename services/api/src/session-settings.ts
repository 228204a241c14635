import { column, type Database, deploymentStatement } from '@continuity/kernel/database';
import type { Logger } from '@continuity/kernel/telemetry';

const sessionSettings = deploymentStatement(
  'session_settings',
  "SELECT current_setting('plan_cache_mode') AS plan_cache_mode",
  { plan_cache_mode: column.text },
);

/** Logs a warning if a pooler gives sessions without the settings of the service. */
export async function checkSessionSettings(database: Database, logger: Logger): Promise<void> {
  const session = await database.sql.first(sessionSettings, []);
  if (session?.plan_cache_mode === 'force_generic_plan') return;
  logger.warn(
    'the sessions of the pooler lack the settings of the service: migrate with DATABASE_DIRECT_URL, then let the pooler reconnect',
  );
}
