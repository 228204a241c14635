import { type Profile, readConfigOf } from './config-file.ts';
import { UsageError } from './errors.ts';
import { requireDecoded } from './input.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  url?: string;
  scope?: string;
  profile?: string;
  json?: boolean;
}

export interface CliSettings {
  url: string;
  token: string | undefined;
  scope: string | undefined;
}

const defaultUrl = 'http://127.0.0.1:8000';

/**
 * Options win over the environment, the environment over the profile. An empty variable counts as not set, because scripts and
 * Compose files pass unset variables on as empty ones. Throws `UsageError` for an unknown profile, and for an address or a token
 * that no request can use.
 */
export async function resolveSettings(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<CliSettings> {
  const { name, profile } = await chosenProfile(
    options.profile ?? readVariable(env, 'CONTINUITY_PROFILE'),
    env,
  );
  return {
    url: requireUrl(options.url ?? readVariable(env, 'CONTINUITY_URL') ?? profile.url ?? defaultUrl),
    token: chosenToken(env, name, profile),
    scope: options.scope ?? scopeOf(env) ?? profile.scope,
  };
}

/** Returns the address. Throws `UsageError` unless it is an http or https URL without a user name and a password. */
export function requireUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UsageError(`The address ${JSON.stringify(url)} is no http or https URL.`);
  }
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url;
  throw new UsageError(
    'The address must not contain a user name or a password. Set CONTINUITY_TOKEN instead.',
  );
}

/**
 * Returns the token without white space around it. Throws `UsageError` for a token that no HTTP header can carry. The message
 * names the origin of the token, and never its value.
 */
export function requireToken(text: string, origin: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError(
    `${origin} is not valid: it must be one line of visible ASCII characters without spaces.`,
  );
}

function chosenToken(env: NodeJS.ProcessEnv, name: string | undefined, { token }: Profile) {
  const given = readVariable(env, 'CONTINUITY_TOKEN');
  if (given !== undefined) return requireToken(given, 'CONTINUITY_TOKEN');
  return token ? requireToken(token, `The token of the profile ${JSON.stringify(name)}`) : undefined;
}

function scopeOf(env: NodeJS.ProcessEnv): string | undefined {
  const scope = readVariable(env, 'CONTINUITY_SCOPE');
  return scope && requireDecoded(scope, 'CONTINUITY_SCOPE');
}

const readVariable = (env: NodeJS.ProcessEnv, name: string) => env[name] || undefined;

/** The wanted or current profile; an empty one if there is neither. */
async function chosenProfile(
  wanted: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<{ name: string | undefined; profile: Profile }> {
  const { current, profiles } = await readConfigOf(env);
  const name = wanted ?? current;
  if (name === undefined) return { name, profile: {} };
  const profile = profiles[name];
  if (profile === undefined)
    throw new UsageError(`No profile is named ${JSON.stringify(name)}. See: continuity profile list`);
  return { name, profile };
}
