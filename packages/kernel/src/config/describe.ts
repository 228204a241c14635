import { z } from 'zod';
import { homeFolder } from './home.ts';
import { secretSettings } from './secrets.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** Description of one setting for the documents. */
export interface SettingDescription {
  name: keyof Settings;
  /** As in the environment, with `~` for the home directory. Undefined if the setting has no default. */
  default?: string;
  /** `100 to 3600000`, `on, off`, `URL` … */
  values: string;
  description: string;
  secret: boolean;
}

/** JSON Schema of one setting. */
interface SettingSchema {
  type?: string;
  description?: string;
  enum?: string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
}

/** Describes all settings, in the order of the schema. */
export function describeSettings(): SettingDescription[] {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: 'input' });
  const secrets: readonly string[] = secretSettings;
  const defaults: Record<string, unknown> = settingsSchema.parse({});
  return Object.entries(properties as Record<string, SettingSchema>).map(([name, schema]) => ({
    name: name as keyof Settings,
    ...(defaults[name] !== undefined && { default: formatDefault(defaults[name]) }),
    values: valuesOf(schema),
    description: schema.description ?? '',
    secret: secrets.includes(name),
  }));
}

function formatDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const home = homeFolder();
  return home === undefined ? String(value) : String(value).replace(home, '~');
}

function valuesOf({
  type,
  enum: values,
  format,
  pattern,
  minLength = 0,
  minimum,
  maximum,
}: SettingSchema): string {
  if (values !== undefined) return values.join(', ');
  if (minimum !== undefined && maximum !== undefined) {
    return `${type === 'integer' ? 'whole number' : 'number'}, ${minimum} to ${maximum}`;
  }
  if (format === 'uri') return 'URL';
  if (pattern !== undefined) return `text that matches ${pattern}`;
  return minLength > 1 ? `text of ${minLength} characters or more` : 'text';
}
