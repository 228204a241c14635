import { loadSettings } from '@continuity/kernel/config';
import { configureRole, databaseAddressOf, migrate } from '@continuity/kernel/database';
import { runToEnd } from '@continuity/kernel/process';
import { createLogger } from '@continuity/kernel/telemetry';
import { backfillWorkRecords } from '@continuity/shared/work-records';

/** Migrates the database of the settings to the schema of this build. Run it before a new version of the services. */
await runToEnd('continuity-migrate', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-migrate');
  const { url, directUrl } = databaseAddressOf(settings);
  const applied = await migrate(directUrl);
  logger.info({ applied }, applied.length === 0 ? 'the database is up to date' : 'applied migrations');
  if (url !== directUrl) await configureRole(directUrl);
  await backfillWorkRecords(directUrl, (progress) =>
    logger.info(progress, 'projected the work records of a Scope'),
  );
});
