import { readFileSync, statSync } from 'node:fs';
import { addressOfParts } from './address.ts';
import { fileSettingOf, secretSettings } from './secrets.ts';

/** Variables by name. */
type Environment = Record<string, string | undefined>;

/** Settings that are parts of an address, with their prefix. */
const addressParts = {
  DATABASE: ['HOST', 'PORT', 'NAME', 'USER', 'PASSWORD', 'PARAMETERS'],
  REDIS: ['HOST', 'PORT', 'USER', 'PASSWORD', 'TLS'],
} as const;

/** Limit of the file of a secret, in bytes. */
const maxSecretBytes = 65_536;

/**
 * Prepares variables for the schema: drops empty ones, reads the files of secrets, removes line breaks at the end of secrets and
 * builds `DATABASE_URL` and `REDIS_URL` from their parts. Returns one sentence for each problem; none contains a value.
 */
export function prepareEnvironment(environment: Environment): { values: Environment; problems: string[] } {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const attempt = (step: () => void) => {
    try {
      step();
    } catch (error) {
      problems.push((error as Error).message);
    }
  };
  for (const name of secretSettings) attempt(() => readSecret(values, name));
  for (const name of partNames()) trimPart(values, name);
  if (problems.length === 0)
    for (const prefix of ['DATABASE', 'REDIS'] as const) attempt(() => buildAddress(values, prefix));
  return { values, problems };
}

/** The settings that give the address of PostgreSQL. A process that gets `DATABASE_URL` from its parent gets no other one. */
export const databaseAddressSettings = [
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'DATABASE_USER_FILE',
  'DATABASE_PASSWORD_FILE',
  ...addressParts.DATABASE.map((part) => `DATABASE_${part}`),
];

/** Names of all settings that are parts of an address. */
function partNames(): string[] {
  return Object.entries(addressParts).flatMap(([prefix, parts]) => parts.map((part) => `${prefix}_${part}`));
}

function readSecret(values: Environment, name: (typeof secretSettings)[number]): void {
  const fileName = fileSettingOf(name);
  const path = values[fileName];
  if (path !== undefined) {
    if (values[name] !== undefined) throw new Error(`Only one of ${name} and ${fileName} may be set.`);
    values[name] = readSecretFile(fileName, path);
  }
  const value = values[name];
  if (value === undefined) return;
  // A password can begin or end with a blank. An address, a token or a key cannot.
  const trimmed = name.endsWith('PASSWORD') ? value.replace(/[\r\n]+$/, '') : value.trim();
  if (trimmed === '')
    throw new Error(`${path === undefined ? name : fileName} has only blanks or line breaks.`);
  values[name] = trimmed;
}

/** Reads the file of a secret. A FIFO or a device could block the start. */
export function readSecretFile(setting: string, path: string): string {
  let bytes: Buffer;
  try {
    const status = statSync(path);
    if (!status.isFile()) throw new Error('it is no regular file');
    if (status.size > maxSecretBytes)
      throw new Error(`it has ${status.size} bytes, and the limit is ${maxSecretBytes}`);
    bytes = readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${setting} cannot be read: ${code ?? message}.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${setting} cannot be read: it is not UTF-8.`);
  }
}

function trimPart(values: Environment, name: string): void {
  const value = name.endsWith('PASSWORD') ? values[name] : values[name]?.trim();
  // Kubernetes sets `REDIS_PORT=tcp://…` in the pods beside a Service with the name `redis`.
  if (value === undefined || value === '' || (/_PORT$/.test(name) && value.startsWith('tcp://')))
    delete values[name];
  else values[name] = value;
}

function buildAddress(values: Environment, prefix: keyof typeof addressParts): void {
  const url = `${prefix}_URL`;
  const host = `${prefix}_HOST`;
  const given = addressParts[prefix]
    .map((part) => `${prefix}_${part}`)
    .filter((name) => values[name] !== undefined);
  const [first] = given;
  if (first === undefined) return;
  if (values[url] !== undefined)
    throw new Error(`${first} must not be set together with ${url}, which has all parts.`);
  if (values[host] === undefined) throw new Error(`${host} must be set together with ${first}.`);
  values[url] = addressOfParts(prefix, (part) => values[`${prefix}_${part}`]);
}
