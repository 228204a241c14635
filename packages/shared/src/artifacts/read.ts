import type { Queries } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { etagOf } from './etag.ts';
import { artifactFamilies } from './families/index.ts';
import type { PresentedContent, StoredRevision } from './family.ts';
import { presentRevision, type TaggedRevision } from './present.ts';
import { type ArtifactAddress, findRevision, storeDigest } from './store.ts';

/** Reads one revision, or the head if `revision` is null. Throws 404 `artifact_not_found`. */
export async function requireRevision(
  queries: Queries,
  address: ArtifactAddress,
  revision: number | null,
): Promise<StoredRevision> {
  const stored = await findRevision(queries, address, revision);
  if (stored !== undefined) return stored;
  throw serviceError('artifact_not_found');
}

/** Returns the revision with its content. */
export async function readRevision(queries: Queries, stored: StoredRevision): Promise<TaggedRevision> {
  return presentRevision(stored, { ...stored, ...(await readContent(queries, stored)) });
}

/** Returns the digest of a revision's content, 64 hex digits. */
export async function readDigest(queries: Queries, stored: StoredRevision): Promise<string> {
  return stored.contentDigest ?? (await readContent(queries, stored)).contentDigest;
}

/** Returns the entity tag of a revision. */
export async function readEtag(queries: Queries, stored: StoredRevision): Promise<string> {
  const { scopeId, family, artifactId, revision } = stored;
  const digest = await readDigest(queries, stored);
  return etagOf(scopeId, { family, artifact_id: artifactId, revision }, digest);
}

/** Computes the content. The first read of a revision also stores its digest (spec 20 M8). */
async function readContent(queries: Queries, stored: StoredRevision): Promise<PresentedContent> {
  const presented = await artifactFamilies[stored.family].present(queries, stored);
  if (stored.contentDigest === null) await storeDigest(queries, stored, presented.contentDigest);
  return presented;
}
