import type { ArtifactItem, ArtifactPage } from '@continuity/contract/artifacts';
import type { Queries } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { Clock } from '@continuity/kernel/process';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { etagOf } from './etag.ts';
import type { ArtifactReadDeps, PresentedContent, StoredRevision } from './family.ts';
import { presentItem, presentRevision, type TaggedRevision } from './present.ts';
import {
  type ArtifactAddress,
  type FamilyAddress,
  findHeads,
  findRevision,
  findRevisions,
  storeDigest,
} from './store.ts';

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
export async function readRevision(deps: ArtifactReadDeps, stored: StoredRevision): Promise<TaggedRevision> {
  return presentRevision(stored, { ...stored, ...(await readContent(deps, stored)) });
}

/** Returns the digest of a revision's content, 64 hex digits. */
export async function readDigest(deps: ArtifactReadDeps, stored: StoredRevision): Promise<string> {
  return stored.contentDigest ?? (await readContent(deps, stored)).contentDigest;
}

/** Returns the entity tag of a revision. */
export async function readEtag(deps: ArtifactReadDeps, stored: StoredRevision): Promise<string> {
  const { scopeId, family, artifactId, revision } = stored;
  const digest = await readDigest(deps, stored);
  return etagOf(scopeId, { family, artifact_id: artifactId, revision }, digest);
}

/** Computes the content. The first read of a revision also stores its digest (spec 20 M8). */
async function readContent(
  { database, families }: ArtifactReadDeps,
  stored: StoredRevision,
): Promise<PresentedContent> {
  const presented = await families[stored.family].artifacts.present(database, stored);
  if (stored.contentDigest === null) await storeDigest(database, stored, presented.contentDigest);
  return presented;
}

interface ArtifactList {
  address: FamilyAddress;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Reads one page of the heads of a Family, ascending by id (spec 10 §6.4). The next page begins after the last id, so that
 * Artifacts created meanwhile neither repeat nor hide one. Throws 400 `invalid_cursor` and 410 `cursor_expired`.
 */
export async function listArtifacts(
  deps: ArtifactReadDeps & { cursors: CursorCodec; clock: Clock },
  { address, limit, cursor }: ArtifactList,
): Promise<ArtifactPage> {
  const { database, cursors, clock } = deps;
  const { tenantId, scopeId, family } = address;
  const binding = { tenantId, operation: 'list_artifacts', query: [scopeId, family] };
  const after = cursor === undefined ? '' : cursors.decodeExpiring(binding, cursor, z.string(), clock.now());
  const heads = await findHeads(database, address, after, limit + 1);
  const items: ArtifactItem[] = [];
  // One at a time: the first read of a Memory revision computes its digest from the whole manifest.
  for (const head of heads.slice(0, limit)) {
    items.push(presentItem(head, head, await readDigest(deps, head)));
  }
  const last = heads.length > limit ? items.at(-1) : undefined;
  const next = last && cursors.encodeExpiring(binding, last.artifact_id, clock.now());
  return { items, next_cursor: next ?? null };
}

/** Above every revision. */
const highestRevision = 2 ** 31 - 1;

interface RevisionList {
  address: ArtifactAddress;
  limit: number;
  cursor?: string | undefined;
}

interface RevisionPage {
  items: { revision: number; created_at: string }[];
  next_cursor: string | null;
}

/**
 * Reads one page of the revisions of an Artifact, newest first (spec 60 §3.7). Throws 400 `invalid_cursor` and 404
 * `artifact_not_found`.
 */
export async function listRevisions(
  database: Queries,
  cursors: CursorCodec,
  { address, limit, cursor }: RevisionList,
): Promise<RevisionPage> {
  const { tenantId, scopeId, family, artifactId } = address;
  const query = [scopeId, family, artifactId];
  const binding = { tenantId, operation: 'list_artifact_revisions', query };
  const below = cursor === undefined ? highestRevision : cursors.decode(binding, cursor, z.int32());
  const found = await findRevisions(database, address, below, limit + 1);
  if (found === undefined) throw serviceError('artifact_not_found');
  const items = found
    .slice(0, limit)
    .map(({ revision, createdAt }) => ({ revision, created_at: createdAt.toISOString() }));
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next_cursor: last === undefined ? null : cursors.encode(binding, last.revision) };
}
