import type { z } from 'zod';
import { addressProblem, addressSettings } from './address.ts';
import { prepareEnvironment } from './environment.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** An invalid setting. The message names the variable and never contains its value. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Parses the environment. An empty variable counts as missing. Throws a `SettingsError` with one line for each invalid
 * variable; if each is valid by itself, with the first conflict between two of them.
 */
export function loadSettings(environment: Record<string, string | undefined>): Settings {
  const known = Object.entries(environment).filter(([name]) => name in settingsSchema.shape);
  const { values, problems } = prepareEnvironment(Object.fromEntries(known));
  for (const name of Object.keys(addressSettings) as (keyof typeof addressSettings)[]) {
    const problem = values[name] === undefined ? undefined : addressProblem(name, values[name]);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map(sentenceOf).join('\n'));
  requireTogether(parsed.data);
  return parsed.data;
}

/** Returns the database URL. Throws a `SettingsError` if it is missing. */
export function requireDatabaseUrl(settings: Settings): string {
  if (settings.DATABASE_URL !== undefined) return settings.DATABASE_URL;
  throw new SettingsError(
    'DATABASE_URL must be set, for example postgresql://user:password@host:5432/continuity, or DATABASE_HOST with the other parts.',
  );
}

/** Returns the data directory. Throws a `SettingsError` if it is missing, for a user without a home folder. */
export function requireDataDirectory(settings: Settings): string {
  if (settings.DATA_DIR !== undefined) return settings.DATA_DIR;
  throw new SettingsError('DATA_DIR or DATABASE_URL must be set, because this user has no home folder.');
}

function requireTogether(settings: Settings): void {
  requireBeside(settings, 'DATABASE_DIRECT_URL', ['DATABASE_URL']);
  requireBeside(settings, 'WORKER_SERVERS', ['DATABASE_SERVERS_FILE']);
  if (settings.DATABASE_SERVERS_FILE !== undefined && settings.DATABASE_URL !== undefined)
    throw new SettingsError('Only one of DATABASE_URL and DATABASE_SERVERS_FILE may be set.');
  requireRedisTogether(settings);
  const isAnthropic = settings.INFERENCE_PROVIDER === 'anthropic';
  requireBeside(settings, 'INFERENCE_GENERATION_MODEL', [
    isAnthropic ? 'INFERENCE_API_KEY' : 'INFERENCE_BASE_URL',
  ]);
  requireBeside(settings, 'EXTERNAL_SKILLS_HOST_ID', ['EXTERNAL_SKILLS_FILE']);
  const profile = [
    'INFERENCE_EMBEDDING_MODEL',
    'INFERENCE_EMBEDDING_PROFILE_ID',
    'INFERENCE_EMBEDDING_DIMENSION',
  ] as const;
  for (const name of profile) requireBeside(settings, name, profile);
  if (settings.INFERENCE_EMBEDDING_BASE_URL === undefined)
    requireBeside(settings, 'INFERENCE_EMBEDDING_MODEL', [
      // Anthropic's API has no embeddings.
      isAnthropic ? 'INFERENCE_EMBEDDING_BASE_URL' : 'INFERENCE_BASE_URL',
    ]);
  if (settings.MEMORY_RERANK_ENABLED && settings.INFERENCE_GENERATION_MODEL === undefined)
    throw new SettingsError('INFERENCE_GENERATION_MODEL must be set if MEMORY_RERANK_ENABLED is on.');
  for (const name of ['MEMORY_RERANK_MODEL', 'MEMORY_RERANK_API_KEY'] as const)
    requireBeside(settings, name, ['MEMORY_RERANK_URL']);
  if (settings.MEMORY_RERANK_ENABLED && settings.MEMORY_RERANK_URL !== undefined)
    throw new SettingsError('Only one of MEMORY_RERANK_ENABLED and MEMORY_RERANK_URL may be set.');
}

function requireRedisTogether(settings: Settings): void {
  for (const name of ['REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'] as const)
    requireBeside(settings, name, ['REDIS_URL']);
  requireBeside(settings, 'REDIS_SENTINEL_PASSWORD', ['REDIS_SENTINELS']);
  if (settings.REDIS_SENTINELS !== undefined && settings.REDIS_CLUSTER_NODES !== undefined)
    throw new SettingsError('Only one of REDIS_SENTINELS and REDIS_CLUSTER_NODES may be set.');
  const pair = ['REDIS_TLS_CERT_FILE', 'REDIS_TLS_KEY_FILE'] as const;
  for (const name of pair) requireBeside(settings, name, pair);
  for (const name of ['REDIS_TLS_CA_FILE', ...pair] as const)
    if (settings[name] !== undefined && settings.REDIS_URL?.startsWith('rediss:') !== true)
      throw new SettingsError(`REDIS_URL must begin with rediss: if ${name} is set.`);
}

function requireBeside(settings: Settings, name: keyof Settings, others: readonly (keyof Settings)[]): void {
  if (settings[name] === undefined) return;
  const missing = others.find((other) => settings[other] === undefined);
  if (missing !== undefined) throw new SettingsError(`${missing} must be set together with ${name}.`);
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const description =
    settingsSchema.shape[issue.path[0] as keyof typeof settingsSchema.shape]?.description ?? '';
  return `${String(issue.path[0])} is invalid: ${issue.message}. ${description}`;
}
