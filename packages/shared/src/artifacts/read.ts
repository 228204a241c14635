import { type Sql, serviceError } from '@continuity/shared/kernel';
import { etagOf } from './etag.ts';
import { artifactFamilies } from './families/index.ts';
import type { PresentedContent, StoredRevision } from './family.ts';
import { presentRevision, type TaggedRevision } from './present.ts';
import { type ArtifactAddress, findRevision, keepDigest } from './store.ts';

/** The revision, or the head where none is named. Throws 404 `artifact_not_found`. */
export async function requireRevision(
  sql: Sql,
  address: ArtifactAddress,
  revision: number | null,
): Promise<StoredRevision> {
  const stored = await findRevision(sql, address, revision);
  if (stored !== undefined) return stored;
  throw serviceError('artifact_not_found');
}

/** The revision with its content. */
export async function readRevision(sql: Sql, stored: StoredRevision): Promise<TaggedRevision> {
  return presentRevision(stored, { ...stored, ...(await readContent(sql, stored)) });
}

/** The digest of a revision's content, 64 hex digits. */
export async function readDigest(sql: Sql, stored: StoredRevision): Promise<string> {
  return stored.contentDigest ?? (await readContent(sql, stored)).contentDigest;
}

/** The entity tag of a revision. */
export async function readEtag(sql: Sql, stored: StoredRevision): Promise<string> {
  const { scopeId, family, artifactId, revision } = stored;
  return etagOf(scopeId, { family, artifact_id: artifactId, revision }, await readDigest(sql, stored));
}

/** A digest is computed when a read first asks for it, and kept (spec 20 M8). */
async function readContent(sql: Sql, stored: StoredRevision): Promise<PresentedContent> {
  const presented = await artifactFamilies[stored.family].present(sql, stored);
  if (stored.contentDigest === null) await keepDigest(sql, stored, presented.contentDigest);
  return presented;
}
