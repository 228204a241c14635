import type { PackageManifest, SkillPackageRef } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import { mediaTypeOf } from '@continuity/skill-packages';
import { loadPackage, type PackagePlace } from './package-store.ts';

/** Returns the manifest of a package that a Skill or a Candidate refers to (spec 40 §6.6). Throws if the package is damaged. */
export async function readManifest(
  queries: Pick<Queries, 'sql'>,
  place: PackagePlace,
  treeDigest: string,
): Promise<PackageManifest> {
  const { ref, list, fields } = await loadPackage(queries, place, treeDigest);
  const { name, description, license, compatibility, metadata, allowed_tools } = fields;
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
 * Returns the answer of a download of a package (spec 40 §6.7), as bytes: serializing a string of 6 MB would block the event loop.
 * Throws if the package is damaged.
 */
export async function readDownload(
  queries: Pick<Queries, 'sql'>,
  place: PackagePlace,
  treeDigest: string,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const { ref, archive } = await loadPackage(queries, place, treeDigest);
  return {
    body: await runInSlices(writeDownload(ref, archive)),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

/** Bytes that are encoded without a pause: a multiple of three, so that the pieces join to one base64 text. */
const sliceBytes = 3 * 65_536;

function* writeDownload(ref: SkillPackageRef, archive: Buffer): Steps<Buffer> {
  const start = `{"package":${JSON.stringify(ref)},"archive_base64":"`;
  const end = '"}';
  const base64Length = 4 * Math.ceil(archive.length / 3);
  const body = Buffer.allocUnsafe(start.length + base64Length + end.length);
  let length = body.write(start, 'latin1');
  for (let at = 0; at < archive.length; at += sliceBytes) {
    length += body.write(archive.subarray(at, at + sliceBytes).toString('base64'), length, 'latin1');
    yield;
  }
  body.write(end, length, 'latin1');
  return body;
}
