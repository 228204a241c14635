import { countHiddenCharacters, drawHiddenCharacters } from '@continuity/contract/hidden-characters';
import type { PackageFilePart, PackageSummary } from '@continuity/contract/skills';
import { pick, type Queries, statement, tables } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { textOf } from '@continuity/skill-packages';
import type { AskedPart, PackageReader } from '../review/index.ts';
import { loadPackage, type PackagePlace, presentFile } from './package-store.ts';

const findStatement = statement(
  'find_package_summary',
  'SELECT summary FROM skill_packages WHERE tenant_id = $1 AND scope_key = $2 AND tree_digest = $3',
  pick(tables.skill_packages, 'summary'),
);

const storeStatement = statement(
  'store_package_summary',
  `UPDATE skill_packages SET summary = $4
   WHERE tenant_id = $1 AND scope_key = $2 AND tree_digest = $3 AND summary IS NULL`,
);

/** Summaries that are being computed, by package: callers that want the same one share it. */
const running = new Map<string, Promise<PackageSummary>>();

/**
 * Returns the summary of a package (spec 40 §4.10). The first call reads the package and stores the summary, so that packages of every
 * release have one. A release that changes its shape sets the column to null in its migration. Throws 503 `runtime_not_ready` if no thread reads the package in time, and if it is damaged.
 */
export async function readSummary(
  queries: Pick<Queries, 'sql'>,
  reader: PackageReader,
  place: PackagePlace,
  treeDigest: string,
): Promise<PackageSummary> {
  const key = keyOf(place, treeDigest);
  const known = (await queries.sql.first(findStatement, key))?.summary;
  if (known) return JSON.parse(known) as PackageSummary;
  const name = [place.tenantId, place.scopeKey, treeDigest].join(' ');
  const begun = running.get(name);
  if (begun !== undefined) return await begun;
  const summary = summarize(queries, reader, place, treeDigest).finally(() => running.delete(name));
  running.set(name, summary);
  return await summary;
}

async function summarize(
  queries: Pick<Queries, 'sql'>,
  reader: PackageReader,
  place: PackagePlace,
  treeDigest: string,
): Promise<PackageSummary> {
  const { archive } = await loadPackage(queries, place, treeDigest);
  const summary = await reader.summarize(place.tenantId, archive);
  await queries.sql.rows(storeStatement, [...keyOf(place, treeDigest), JSON.stringify(summary)]);
  return summary;
}

function keyOf({ tenantId, scopeKey }: PackagePlace, treeDigest: string): unknown[] {
  return [tenantId, scopeKey, Buffer.from(treeDigest, 'hex')];
}

/**
 * Reads a part of a file as text, with hidden characters drawn as codes (spec 40 §4.9). Throws 422 at `path` for a path that the
 * package does not have, at `offset` for one beyond the end of the file, and if the package is damaged.
 */
export async function readFilePart(
  queries: Pick<Queries, 'sql'>,
  place: PackagePlace,
  treeDigest: string,
  { path, offset, maxBytes }: AskedPart,
): Promise<PackageFilePart> {
  const { files, list } = await loadPackage(queries, place, treeDigest);
  const listed = list.find((file) => file.path === path);
  const bytes = files.find((file) => file.path === path)?.bytes;
  if (listed === undefined || bytes === undefined) {
    throw invalidRequest([{ path: 'path', message: 'must be a path of the manifest' }]);
  }
  if (offset > bytes.length) {
    throw invalidRequest([
      { path: 'offset', message: `must be at most the size of the file, ${bytes.length} bytes` },
    ]);
  }
  const file = { ...presentFile(listed), offset };
  if (textOf(bytes) === null) return { ...file, text: null, hidden_characters: null, next_offset: null };
  const end = endOfPart(bytes, offset, maxBytes);
  const part = bytes.toString('utf8', offset, end);
  return {
    ...file,
    text: drawHiddenCharacters(part),
    hidden_characters: countHiddenCharacters(part),
    next_offset: end < bytes.length ? end : null,
  };
}

const lineFeed = 0x0a;

/** The end of a part: behind its last line feed, else between two characters. */
function endOfPart(bytes: Buffer, offset: number, maxBytes: number): number {
  const limit = offset + maxBytes;
  if (limit >= bytes.length) return bytes.length;
  const line = bytes.lastIndexOf(lineFeed, limit - 1);
  if (line >= offset) return line + 1;
  let end = limit;
  while (isContinuation(bytes[end])) end -= 1;
  return end;
}

/** Whether a byte of UTF-8 goes on with a character. */
function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
