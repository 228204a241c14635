import { z } from 'zod';
import { featureSettings } from './feature-settings.ts';
import { processSettings } from './process-settings.ts';
import { secretFileSettings } from './secrets.ts';

/** The settings of all processes: one environment variable each. */
export const settingsSchema = z.object({
  ...processSettings,
  ...featureSettings,
  ...secretFileSettings,
});

export type Settings = z.output<typeof settingsSchema>;
