import type { SkillPackageRef } from '@continuity/contract/skills';
import { canonicalJson, type Queries, type ScopeKey, type TenantId } from '@continuity/shared/kernel';
import { packageOf, readArchive, type SkillFields, type SkillPackage } from '@continuity/skill-packages';

/** The Scope that stores packages. It shares them with no other Scope (spec 40 §5.6). */
export interface PackagePlace {
  tenantId: TenantId;
  scopeKey: ScopeKey;
}

/** A package without its bytes. */
export type PackageFacts = Pick<SkillPackage, 'ref' | 'says'>;

interface FactsRow {
  treeDigest: Buffer;
  archiveDigest: Buffer;
  fileCount: number;
  uncompressedSize: number;
  archiveSize: number;
  says: string;
}

/**
 * Stores a package in the caller's transaction, once for each tree. If the Scope has the tree already, checks that the stored
 * bytes are undamaged and equal.
 */
export async function storePackage(
  queries: Queries,
  place: PackagePlace,
  { ref, list, archive, says }: SkillPackage,
): Promise<void> {
  const { count } = await queries.prisma.skillPackage.createMany({
    data: [
      {
        tenantId: place.tenantId,
        scopeKey: place.scopeKey,
        treeDigest: Buffer.from(ref.tree_digest, 'hex'),
        archiveDigest: Buffer.from(ref.archive_digest, 'hex'),
        fileCount: ref.file_count,
        uncompressedSize: ref.uncompressed_size,
        archiveSize: ref.archive_size,
        files: canonicalJson(list),
        says: canonicalJson(says),
        archive,
      },
    ],
    skipDuplicates: true,
  });
  if (count === 1) return;
  const stored = await loadPackage(queries, place, ref.tree_digest);
  if (canonicalJson(factsOfPackage(stored)) !== canonicalJson({ ref, says })) throw damaged(ref.tree_digest);
}

/** Returns a package of the Scope without its bytes, or undefined. */
export async function findPackage(
  { prisma }: Queries,
  place: PackagePlace,
  treeDigest: string,
): Promise<PackageFacts | undefined> {
  const row = await prisma.skillPackage.findUnique({
    where: keyOf(place, treeDigest),
    omit: { files: true, archive: true },
  });
  return row === null ? undefined : factsOf(row);
}

/** Reads a package of the Scope with its bytes. Throws if they are not the bytes that were written (spec 40 §5.6.3). */
export async function loadPackage(
  { prisma }: Queries,
  place: PackagePlace,
  treeDigest: string,
): Promise<SkillPackage> {
  const row = await prisma.skillPackage.findUnique({ where: keyOf(place, treeDigest) });
  if (row === null) throw new Error('The Skill package of a revision is missing.');
  const { ref, says } = factsOf(row);
  const read = packageOf(readFiles(row.archive, treeDigest), says);
  const isUndamaged =
    canonicalJson(read.ref) === canonicalJson(ref) &&
    read.archive.equals(row.archive) &&
    canonicalJson(read.list) === row.files;
  if (!isUndamaged) throw damaged(treeDigest);
  return read;
}

function keyOf({ tenantId, scopeKey }: PackagePlace, treeDigest: string) {
  return {
    tenantId_scopeKey_treeDigest: { tenantId, scopeKey, treeDigest: Buffer.from(treeDigest, 'hex') },
  };
}

function readFiles(archive: Buffer, treeDigest: string): SkillPackage['files'] {
  try {
    return readArchive(archive);
  } catch (cause) {
    throw damaged(treeDigest, cause);
  }
}

function factsOf(row: FactsRow): PackageFacts {
  const ref: SkillPackageRef = {
    tree_digest: row.treeDigest.toString('hex'),
    archive_digest: row.archiveDigest.toString('hex'),
    file_count: row.fileCount,
    uncompressed_size: row.uncompressedSize,
    archive_size: row.archiveSize,
  };
  return { ref, says: JSON.parse(row.says) as SkillFields };
}

function factsOfPackage({ ref, says }: SkillPackage): PackageFacts {
  return { ref, says };
}

function damaged(treeDigest: string, cause?: unknown): Error {
  return new Error(`The stored Skill package ${treeDigest} is damaged.`, { cause });
}
