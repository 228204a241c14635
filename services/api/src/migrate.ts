import { loadSettings, serversOf } from '@continuity/kernel/config';
import { claimServer, configureRole, databaseAddressOf, migrate } from '@continuity/kernel/database';
import { runToEnd } from '@continuity/kernel/process';
import { createLogger } from '@continuity/kernel/telemetry';
import { backfillWorkRecords } from '@continuity/shared/work-records';

/**
 * Migrates the database of the settings to the schema of this build, or those of all servers, one after the other. Run it before a new
 * version of the services, and after a server was added to `DATABASE_SERVERS_FILE`.
 */
await runToEnd('continuity-migrate', async () => {
  const settings = loadSettings(process.env);
  let cursorKey: Buffer | undefined;
  for (const { settings: own, server } of serversOf(settings)) {
    const created = createLogger(own, 'continuity-migrate');
    const logger = server === undefined ? created : created.child({ server: server.name });
    const { url, directUrl } = databaseAddressOf(own);
    const applied = await migrate(directUrl);
    logger.info({ applied }, applied.length === 0 ? 'the database is up to date' : 'applied migrations');
    const ownKey = server && (await claimServer(directUrl, server, cursorKey));
    cursorKey ??= ownKey;
    if (url !== directUrl) await configureRole(directUrl);
    await backfillWorkRecords(directUrl, (progress) =>
      logger.info(progress, 'projected the work records of a Scope'),
    );
  }
});
