import { configPath, type Profile, readConfig } from './config-file.ts';
import { UsageError } from './exit-codes.ts';

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

/** Options win over the environment, the environment over the profile. */
export async function resolveSettings(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<CliSettings> {
  const profile = await chosenProfile(options.profile ?? env['CONTINUITY_PROFILE'], env);
  const url = options.url ?? env['CONTINUITY_URL'] ?? profile.url ?? defaultUrl;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`The address ${JSON.stringify(url)} is no http or https URL.`);
  }
  return {
    url,
    token: env['CONTINUITY_TOKEN'] ?? profile.token,
    scope: options.scope ?? env['CONTINUITY_SCOPE'] ?? profile.scope,
  };
}

async function chosenProfile(name: string | undefined, env: NodeJS.ProcessEnv): Promise<Profile> {
  const { current, profiles } = await readConfig(configPath(env));
  const wanted = name ?? current;
  if (wanted === undefined) return {};
  const profile = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (profile === undefined)
    throw new UsageError(`No profile is named ${JSON.stringify(wanted)}. See: continuity profile list`);
  return profile;
}
