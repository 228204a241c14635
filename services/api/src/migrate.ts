import { createLogger, loadSettings, migrate, requireDatabaseUrl } from '@continuity/shared/kernel';

/** Migrates the database of `DATABASE_URL` to the schema of this build. Run it before a new version of the services. */
const settings = loadSettings(process.env);
const logger = createLogger(settings, 'continuity-migrate');
const applied = await migrate(requireDatabaseUrl(settings));
logger.info({ applied }, applied.length === 0 ? 'the database is up to date' : 'applied migrations');
