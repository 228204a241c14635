import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
// The main file of this package finds its parts by a `require` that no bundler sees.
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser/lib/esm/main.js';
import { digestOf } from './plugin-files.ts';

/** How to take an entry back: where the file is as `setup` left it, this text goes, so that every other byte is as before. */
export interface EntryRecord {
  entry: unknown;
  /** Digest of the file after the change. */
  digest: string;
  /** Where the change begins, in UTF-16 units, and the texts after and before it; `before` is null where there was no file. */
  at: number;
  after: string;
  before: string | null;
}

/** The settings cannot be read, or have an entry of somebody else. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const name = 'continuity';

/**
 * Writes our entry into a settings file of JSON with comments; a file that is missing is made. Other bytes, comments and the mode stay.
 * Returns what takes it back, or undefined where the file has the entry already. Throws `SettingsError`, and then the file is as before.
 *
 * @param ours the entry that `setup` wrote before, which may be replaced
 */
export function writeEntry(
  path: string,
  key: string,
  entry: object,
  ours: EntryRecord | undefined,
): EntryRecord | undefined {
  const before = readSettings(path);
  const found = entryIn(path, key, before ?? '');
  if (isDeepStrictEqual(found, entry)) return undefined;
  if (found !== undefined && !isDeepStrictEqual(found, ours?.entry))
    throw new SettingsError(
      `${path} has an entry ${JSON.stringify(name)} that is not of this command. Remove it, and run this again.`,
    );
  const text = before === undefined || before.trim() === '' ? '{}\n' : before;
  const after = setEntry(text, key, entry);
  writeSettings(path, after);
  return { entry, digest: digestOf(after), ...differenceOf(before, after) };
}

/**
 * Takes our entry back. Where nothing else has changed since, the file has its bytes of before. Returns false, and changes nothing, for an
 * entry that was changed by hand. Throws `SettingsError` for a file that cannot be read.
 */
export function removeEntry(path: string, key: string, record: EntryRecord): boolean {
  const text = readSettings(path);
  if (text === undefined) return true;
  if (digestOf(text) === record.digest) {
    if (record.before === null) rmSync(path);
    else
      writeSettings(
        path,
        text.slice(0, record.at) + record.before + text.slice(record.at + record.after.length),
      );
    return true;
  }
  const found = entryIn(path, key, text);
  if (found === undefined) return true;
  if (!isDeepStrictEqual(found, record.entry)) return false;
  writeSettings(path, applyEdits(text, modify(text, [key, name], undefined, {})));
  return true;
}

/** Whether a settings file has the entry as `setup` wrote it. False for a file that cannot be read. */
export function hasEntry(path: string, key: string, record: EntryRecord): boolean {
  try {
    return isDeepStrictEqual(entryIn(path, key, readSettings(path) ?? ''), record.entry);
  } catch {
    return false;
  }
}

function readSettings(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new SettingsError(
    `${path} is not UTF-8, and stays as it is. Add the entry by hand: --print prints it.`,
  );
}

/** Our entry in the settings. Throws for settings that are no JSON with comments, because a change could destroy them. */
function entryIn(path: string, key: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  const servers = isRecord(settings) ? settings[key] : undefined;
  if (errors.length > 0 || !isRecord(settings) || (servers !== undefined && !isRecord(servers)))
    throw new SettingsError(
      `${path} cannot be read as JSON, and stays as it is. Correct it, or add the entry by hand: --print prints it.`,
    );
  return isRecord(servers) ? servers[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The text with our entry in it. Every other byte stays: the entry follows the last one, or replaces its own value, in the indentation
 * and line ends that the text has.
 */
function setEntry(text: string, key: string, entry: object): string {
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const show = (value: unknown, depth: number) =>
    JSON.stringify(value, null, unit).replaceAll('\n', eol + unit.repeat(depth));
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const servers = tree && findNodeAtLocation(tree, [key]);
  const own = tree && findNodeAtLocation(tree, [key, name]);
  if (own !== undefined)
    return text.slice(0, own.offset) + show(entry, 2) + text.slice(own.offset + own.length);
  const [parent, depth] = servers === undefined ? [tree, 0] : [servers, 1];
  const property =
    servers === undefined ? `"${key}": ${show({ [name]: entry }, 1)}` : `"${name}": ${show(entry, 2)}`;
  if (parent === undefined) throw new Error('The settings have no object.');
  const line = eol + unit.repeat(depth + 1) + property;
  const last = parent.children?.at(-1);
  const at = last === undefined ? parent.offset + 1 : last.offset + last.length;
  const isOneLine = !text.slice(parent.offset, parent.offset + parent.length).includes('\n');
  const closing = last === undefined && isOneLine ? eol + unit.repeat(depth) : '';
  return `${text.slice(0, at)}${last === undefined ? '' : ','}${line}${closing}${text.slice(at)}`;
}

/** The one range in which two texts differ. */
function differenceOf(
  before: string | undefined,
  after: string,
): Pick<EntryRecord, 'at' | 'after' | 'before'> {
  if (before === undefined) return { at: 0, after, before: null };
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  let end = 0;
  while (end < before.length - at && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { at, after: after.slice(at, after.length - end), before: before.slice(at, before.length - end) };
}

/** Writes the file as a whole, through a link to where it leads, with the mode that it has. */
function writeSettings(path: string, text: string): void {
  const isThere = existsSync(path);
  const target = isThere ? realpathSync(path) : path;
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}.tmp`;
  const file = openSync(temporary, 'wx', isThere ? statSync(target).mode & 0o777 : 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, target);
}
