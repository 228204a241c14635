import { z } from 'zod';

/** Settings whose values are secrets or contain one. No log or error contains them. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_USER',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'REDIS_USER',
  'REDIS_PASSWORD',
  'REDIS_SENTINEL_PASSWORD',
  'AUTH_TOKEN',
  'INFERENCE_API_KEY',
  'INFERENCE_EMBEDDING_API_KEY',
] as const;

type SecretSetting = (typeof secretSettings)[number];

/** Name of the setting that names the file of a secret. */
export function fileSettingOf<Name extends SecretSetting>(name: Name): `${Name}_FILE` {
  return `${name}_FILE`;
}

/** The settings that name the files of secrets. */
export const secretFileSettings = Object.fromEntries(
  secretSettings.map((name) => [
    fileSettingOf(name),
    z.string().min(1).optional().describe(`File with the value of \`${name}\`, instead of that setting.`),
  ]),
) as Record<`${SecretSetting}_FILE`, z.ZodOptional<z.ZodString>>;

/** A secret that is sent in a header, which cannot have blanks or line breaks. */
export const headerSecret = z
  .string()
  .min(1)
  .refine((value) => !/\s/.test(value), { error: 'it contains a blank or a line break' });
