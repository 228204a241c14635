import { createLogger, loadSettings, migrate, requireDatabaseUrl } from '@continuity/shared/kernel';
import { backfillWorkRecords } from '@continuity/shared/work-records';

/** Migrates the database of `DATABASE_URL` to the schema of this build. Run it before a new version of the services. */
const settings = loadSettings(process.env);
const logger = createLogger(settings, 'continuity-migrate');
const url = requireDatabaseUrl(settings);
const applied = await migrate(url);
logger.info({ applied }, applied.length === 0 ? 'the database is up to date' : 'applied migrations');
await backfillWorkRecords(url, (progress) => logger.info(progress, 'projected the work records of a Scope'));
