export { describeSettings, type SettingDescription } from './describe.ts';
export { loadSettings, requireDatabaseUrl, SettingsError } from './load.ts';
export { type Settings, secretSettings, settingsSchema } from './settings.ts';
