import type { PackageManifest } from '@continuity/contract/skills';
import type { Queries } from '@continuity/shared/kernel';
import { mediaTypeOf } from '@continuity/skill-packages';
import { loadPackage, type PackagePlace } from './store.ts';

/** Returns the manifest of a package that a Skill or a Candidate refers to (spec 40 §6.6). Throws if the package is damaged. */
export async function readManifest(
  queries: Pick<Queries, 'sql'>,
  place: PackagePlace,
  treeDigest: string,
): Promise<PackageManifest> {
  const { ref, list, says } = await loadPackage(queries, place, treeDigest);
  const { name, description, license, compatibility, metadata, allowed_tools } = says;
  const files = list.map(({ path, digest, size, executable }) => ({
    path,
    digest,
    size,
    media_type: mediaTypeOf(path),
    executable,
  }));
  return { package: ref, name, description, license, compatibility, metadata, allowed_tools, files };
}

/**
 * Returns the answer of a download of a package (spec 40 §6.7), as bytes: serializing a string of 6 MB would take longer than all the
 * rest. Throws if the package is damaged.
 */
export async function readDownload(
  queries: Pick<Queries, 'sql'>,
  place: PackagePlace,
  treeDigest: string,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const { ref, archive } = await loadPackage(queries, place, treeDigest);
  const start = `{"package":${JSON.stringify(ref)},"archive_base64":"`;
  return {
    body: Buffer.from(`${start}${archive.toString('base64')}"}`, 'latin1'),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}
