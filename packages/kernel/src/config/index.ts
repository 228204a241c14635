export { loadSettings, SettingsError } from './load.ts';
export { type Settings, secretSettings, settingsSchema } from './settings.ts';
