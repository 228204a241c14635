import { requireDatabaseUrl, type Settings } from '../config/index.ts';

/** How a process reaches PostgreSQL. */
interface DatabaseAddress {
  /** PostgreSQL, or a pooler in transaction mode. */
  url: string;
  /** PostgreSQL itself, for what needs a session: LISTEN, locks and settings of a session. Equal to `url` without a pooler. */
  directUrl: string;
  /** Whether statements keep their names, so that each connection plans them once. */
  preparesStatements: boolean;
}

/** The address of the settings. Throws a `SettingsError` without `DATABASE_URL`. */
export function databaseAddressOf(settings: Settings): DatabaseAddress {
  const url = requireDatabaseUrl(settings);
  return {
    url,
    directUrl: settings.DATABASE_DIRECT_URL ?? url,
    preparesStatements: settings.DATABASE_PREPARED_STATEMENTS,
  };
}
