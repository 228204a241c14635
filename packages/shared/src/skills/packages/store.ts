import type { SkillPackageRef } from '@continuity/contract/skills';
import { canonicalJson, column, pick, type Sql, statement, tables } from '@continuity/shared/kernel';
import { readArchive } from './canonical-archive.ts';
import { packageOf, type SkillPackage } from './package.ts';
import type { SkillFields } from './skill-file.ts';

/** The Scope that keeps packages. Neither its tenant nor another Scope of it shares them (spec 40 §5.6). */
export interface PackagePlace {
  tenantId: number;
  scopeKey: number;
}

/** A package as it is known without its bytes. */
export type PackageFacts = Pick<SkillPackage, 'ref' | 'says'>;

interface FactsRow extends Omit<SkillPackageRef, 'tree_digest'> {
  says: string;
}

const keyed = "tenant_id = $1 AND scope_key = $2 AND tree_digest = decode($3, 'hex')";

const addStatement = statement(
  'add_skill_package',
  `INSERT INTO skill_packages
     (tenant_id, scope_key, tree_digest, archive_digest, file_count, uncompressed_size, archive_size, files, says, archive)
   VALUES ($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5, $6, $7, $8, $9, $10)
   ON CONFLICT DO NOTHING`,
);

const compareStatement = statement(
  'compare_skill_package',
  `SELECT archive_digest = decode($4, 'hex') AND sha256(archive) = archive_digest AND file_count = $5
     AND uncompressed_size = $6 AND archive_size = $7 AND files = $8 AND says = $9 AS is_equal
   FROM skill_packages WHERE ${keyed}`,
  { is_equal: column.boolean },
);

const findStatement = statement(
  'find_skill_package',
  `SELECT encode(archive_digest, 'hex') AS archive_digest, file_count, uncompressed_size, archive_size, says
   FROM skill_packages WHERE ${keyed}`,
  {
    ...pick(tables.skill_packages, 'file_count', 'uncompressed_size', 'archive_size', 'says'),
    archive_digest: column.text,
  },
);

const loadStatement = statement(
  'load_skill_package',
  `SELECT encode(archive_digest, 'hex') AS archive_digest, file_count, uncompressed_size, archive_size, says, files, archive
   FROM skill_packages WHERE ${keyed}`,
  {
    ...pick(
      tables.skill_packages,
      'file_count',
      'uncompressed_size',
      'archive_size',
      'says',
      'files',
      'archive',
    ),
    archive_digest: column.text,
  },
);

/**
 * Keeps a package in the caller's transaction, once for each tree. Throws where the Scope keeps something else under the
 * digest, which only damage can have brought about. Both statements travel together.
 */
export async function storePackage(
  sql: Sql,
  { tenantId, scopeKey }: PackagePlace,
  { ref, list, archive, says }: SkillPackage,
): Promise<void> {
  const values = [
    tenantId,
    scopeKey,
    ref.tree_digest,
    ref.archive_digest,
    ref.file_count,
    ref.uncompressed_size,
    ref.archive_size,
    canonicalJson(list),
    canonicalJson(says),
  ];
  const [, kept] = await Promise.all([
    sql.rows(addStatement, [...values, archive]),
    sql.first(compareStatement, values),
  ]);
  if (kept?.is_equal !== true) throw damaged(ref.tree_digest);
}

/** What a Scope's package is and says, without its bytes. */
export async function findPackage(
  sql: Sql,
  { tenantId, scopeKey }: PackagePlace,
  treeDigest: string,
): Promise<PackageFacts | undefined> {
  const row = await sql.first(findStatement, [tenantId, scopeKey, treeDigest]);
  return row === undefined ? undefined : factsOf(row, treeDigest);
}

/** A package that the Scope keeps, with its bytes. Throws where they are not what was written (spec 40 §5.6.3). */
export async function loadPackage(
  sql: Sql,
  { tenantId, scopeKey }: PackagePlace,
  treeDigest: string,
): Promise<SkillPackage> {
  const values = [tenantId, scopeKey, treeDigest];
  const row = await sql.first<FactsRow & { files: string; archive: Buffer }>(loadStatement, values);
  if (row === undefined) throw new Error('A Skill package that a revision refers to is not kept.');
  const { ref, says } = factsOf(row, treeDigest);
  const read = packageOf(readWhole(row.archive, treeDigest), says);
  const isWhole =
    canonicalJson(read.ref) === canonicalJson(ref) &&
    read.archive.equals(row.archive) &&
    canonicalJson(read.list) === row.files;
  if (!isWhole) throw damaged(treeDigest);
  return read;
}

function readWhole(archive: Buffer, treeDigest: string): SkillPackage['files'] {
  try {
    return readArchive(archive);
  } catch (cause) {
    throw damaged(treeDigest, cause);
  }
}

function factsOf(
  { archive_digest, file_count, uncompressed_size, archive_size, says }: FactsRow,
  tree: string,
) {
  const ref = { tree_digest: tree, archive_digest, file_count, uncompressed_size, archive_size };
  return { ref, says: JSON.parse(says) as SkillFields };
}

function damaged(treeDigest: string, cause?: unknown): Error {
  return new Error(`The Skill package ${treeDigest} is not as it was written.`, { cause });
}
