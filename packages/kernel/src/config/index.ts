export {
  type ConfiguredServer,
  type DatabaseServer,
  databaseServersOf,
  serversOf,
  settingsOfServer,
} from './database-servers.ts';
export { databaseAddressSettings } from './environment.ts';
export { loadSettings, requireDataDirectory, SettingsError } from './load.ts';
export { secretSettings } from './secrets.ts';
export { type Settings, settingsSchema } from './settings.ts';
