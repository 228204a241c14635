import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RedactionLevel } from '@continuity/contract/turns';
import { homeFolder } from '../local/user-state.ts';
import { lazyModules } from './lazy-modules.ts';

/** Settings of the hooks: environment variables, then the current profile of the command line (spec 70 §4.2.1). */
export interface HookSettings {
  url: string;
  token: string | undefined;
  scope: string | undefined;
  /** Whether prompts and answers are stored. */
  captures: boolean;
  redaction: RedactionLevel;
}

/** A service and a tenant, without the token itself: files keep it. */
export interface Destination {
  url: string;
  /** SHA-256 of the token in hex; null without one. */
  token: string | null;
}

interface Profile {
  url?: string;
  token?: string;
  scope?: string;
}

const levels: readonly string[] = ['standard', 'strict', 'off'];

/** Reads the settings. Calls `report` for a profile that cannot be read, and continues without it. */
export function readSettings(env: NodeJS.ProcessEnv, report: (message: string) => void): HookSettings {
  const profile = readProfile(env, report);
  const level = env['CONTINUITY_REDACT'] || 'standard';
  if (!levels.includes(level)) report(`CONTINUITY_REDACT must be one of: ${levels.join(', ')}.`);
  return {
    url: (env['CONTINUITY_URL'] || profile.url || 'http://127.0.0.1:8000').replace(/\/+$/, ''),
    token: (env['CONTINUITY_TOKEN'] || profile.token)?.trim() || undefined,
    scope: env['CONTINUITY_SCOPE'] || profile.scope || undefined,
    captures: env['CONTINUITY_CAPTURE'] !== 'off',
    redaction: (levels.includes(level) ? level : 'standard') as RedactionLevel,
  };
}

export function destinationOf({ url, token }: HookSettings): Destination {
  return {
    url,
    token: token === undefined ? null : lazyModules.crypto.createHash('sha256').update(token).digest('hex'),
  };
}

/**
 * Whether texts for one destination may be sent to the other: the same address and token. Without a token, all loopback addresses are
 * the service of this machine, whose port can change.
 */
export function isSameDestination(one: Destination, other: Destination): boolean {
  if (one.token !== other.token) return false;
  return one.url === other.url || (one.token === null && isLoopback(one.url) && isLoopback(other.url));
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}

function readProfile(env: NodeJS.ProcessEnv, report: (message: string) => void): Profile {
  const home = homeFolder();
  const base = env['XDG_CONFIG_HOME'] || (home && join(home, '.config'));
  if (!base) return {};
  const path = join(base, 'continuity', 'config.json');
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined || !status.isFile()) return {};
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      report(`Other users can read ${path}, which holds tokens. Run: chmod 600 ${path}`);
      return {};
    }
    const { current, profiles } = JSON.parse(readFileSync(path, 'utf8'));
    const name = env['CONTINUITY_PROFILE'] || current;
    return (typeof name === 'string' && Object.hasOwn(profiles, name) && profiles[name]) || {};
  } catch (error) {
    report(`${path} cannot be read: ${(error as Error).message}`);
    return {};
  }
}
