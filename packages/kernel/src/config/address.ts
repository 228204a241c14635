type Kind = 'DATABASE' | 'REDIS';

/** Settings that hold an address, with the schemes that they may have. */
export const addressSettings = {
  DATABASE_URL: ['postgresql', 'postgres'],
  DATABASE_DIRECT_URL: ['postgresql', 'postgres'],
  REDIS_URL: ['redis', 'rediss'],
} as const;

/**
 * Returns what is wrong with an address, as a sentence about the setting `name` without any part of the value; undefined if it is a
 * URL. A password with a raw `/`, `?`, `#` or `@` would make a URL whose host is a piece of the password.
 */
export function addressProblem(name: keyof typeof addressSettings, value: string): string | undefined {
  return problemOfAddress(name, addressSettings[name], value);
}

/** As `addressProblem`, of the URL of PostgreSQL at a place of a file, such as `DATABASE_SERVERS_FILE: the url of "a"`. */
export function databaseUrlProblem(place: string, value: string): string | undefined {
  return problemOfAddress(place, addressSettings.DATABASE_URL, value);
}

function problemOfAddress(name: string, schemes: readonly string[], value: string): string | undefined {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(value) ?? [];
  if (!schemes.includes(scheme))
    return `${name} is invalid: it must begin with ${schemes.map((known) => `${known}://`).join(' or ')}.`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  if (/[\u0000-\u0020\u007f\\]/.test(rest)) return encodeSentence(name, 'a blank, a control character or \\');
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const tail = end < 0 ? '' : rest.slice(end);
  if (tail.includes('@') || tail.includes('#') || authority.split('@').length > 2)
    return encodeSentence(name, 'a raw /, ?, # or @');
  try {
    decodeURIComponent(authority);
  } catch {
    return encodeSentence(name, 'a raw %');
  }
  const isValid = authoritiesOf(authority).every((one) => URL.canParse(`${scheme}://${one}${tail}`));
  if (!isValid) return encodeSentence(name, 'a host or port that is invalid, or a raw character');
  if (authority.includes(',') && schemes.includes('redis'))
    return `${name} is invalid: it has several hosts. Use REDIS_CLUSTER_NODES or REDIS_SENTINELS.`;
  const attributes = /[?&]target_session_attrs=([^&]*)/.exec(tail)?.[1];
  if (attributes !== undefined && !['read-write', 'primary'].includes(attributes))
    return `${name} is invalid: its target_session_attrs must be read-write, because the service writes.`;
  return undefined;
}

/** A server, as `pg` takes it. */
export interface ServerName {
  host: string;
  port: number;
}

/** The servers of a URL of PostgreSQL, and the URL with the first of them alone. */
export interface DatabaseServers {
  url: string;
  servers: ServerName[];
}

/** Splits a URL of PostgreSQL such as `postgresql://user:password@one:5432,two:5433/name?target_session_attrs=read-write`. */
export function databaseServers(url: string): DatabaseServers {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z]+:\/\/)([^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? [];
  const kept = query
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('target_session_attrs='));
  const tail = `${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
  const urls = authoritiesOf(authority).map((one) => `${scheme}${one}${tail}`);
  const servers = urls.map((one) => {
    const { hostname, port } = new URL(one);
    return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
  });
  return { url: urls[0] ?? url, servers };
}

const defaultPort = 5432;

/** The authority of each host, with the user and the password of all. */
function authoritiesOf(authority: string): string[] {
  const at = authority.lastIndexOf('@') + 1;
  return authority
    .slice(at)
    .split(',')
    .map((host) => `${authority.slice(0, at)}${host}`);
}

function encodeSentence(name: string, what: string): string {
  const isSetting = /^[A-Z_]+$/.test(name);
  return (
    `${name} is invalid: it has ${what}. Percent-encode special characters of the user and the password ` +
    `(/ is %2F, ? is %3F, # is %23, @ is %40, % is %25)${isSetting ? `, or set ${name.replace(/_(DIRECT_)?URL$/, '_PASSWORD')} instead` : ''}.`
  );
}

/** Builds a URL from the parts of an address. Throws an `Error` without values if a part is missing or invalid. */
export function addressOfParts(kind: Kind, part: (name: string) => string | undefined): string {
  const required = (name: string) => {
    const value = part(name);
    if (value === undefined) throw new Error(`${kind}_${name} must be set together with ${kind}_HOST.`);
    return value;
  };
  const server = serversOf(kind, required('HOST'), part('PORT'));
  const password = part('PASSWORD');
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  if (kind === 'DATABASE') {
    const parameters = part('PARAMETERS');
    return (
      `postgresql://${encodeURIComponent(required('USER'))}${secret}@${server}/${encodeURIComponent(required('NAME'))}` +
      (parameters === undefined ? '' : `?${parameters}`)
    );
  }
  const user = encodeURIComponent(part('USER') ?? '');
  const scheme = part('TLS') === 'on' ? 'rediss' : 'redis';
  return `${scheme}://${user === '' && secret === '' ? '' : `${user}${secret}@`}${server}`;
}

/** Hosts of PostgreSQL may be several, separated by commas, with one port for all or one for each. */
function serversOf(kind: Kind, host: string, port: string | undefined): string {
  if (kind === 'REDIS') return serverOf(kind, host, port);
  const [hosts, ports] = [host.split(','), port?.split(',')];
  if (ports !== undefined && ports.length > 1 && ports.length !== hosts.length)
    throw new Error('DATABASE_PORT must have one port, or one for each of DATABASE_HOST.');
  return hosts.map((one, index) => serverOf(kind, one, ports?.[index] ?? ports?.[0])).join(',');
}

function serverOf(kind: Kind, host: string, port: string | undefined): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (!/^([A-Za-z0-9._-]+|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/.test(bare))
    throw new Error(`${kind}_HOST is invalid: it is no host name. The port belongs to ${kind}_PORT.`);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    throw new Error(`${kind}_PORT is invalid: it is no whole number from 1 to 65535.`);
  return `${bare.includes(':') ? `[${bare}]` : bare}${port === undefined ? '' : `:${port}`}`;
}
