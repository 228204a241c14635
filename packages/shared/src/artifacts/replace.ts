import type { ReplaceRequest } from '@continuity/contract/artifacts';
import type { Database } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import {
  ensureSourceSequence,
  recordArtifactWrite,
  type WrittenContent,
  writeContent,
} from '../sources/index.ts';
import { hasStrongMatch } from './etag.ts';
import type { ArtifactWriteDeps, NextRevision, StoredRevision } from './family.ts';
import { presentRevision, type TaggedRevision } from './present.ts';
import { readEtag, requireRevision } from './read.ts';
import { type ArtifactAddress, lockHead } from './store.ts';

interface Replacement {
  address: ArtifactAddress;
  ifMatch: string;
  content: ReplaceRequest['content'];
}

/** Thrown if another writer has moved the head since it was read. */
class HeadMovedError extends Error {}

/**
 * Writes the next revision and its system Source if `If-Match` has the tag of the head (spec 10 §6.4). The Family decides
 * the revision before any lock is taken: a revision never changes, so the decision holds if the locked head still is that
 * revision. Throws 404, 412 and the errors of the Family.
 */
export async function replaceArtifact(
  deps: ArtifactWriteDeps,
  { address, ifMatch: tags, content }: Replacement,
): Promise<TaggedRevision> {
  const { database, families } = deps;
  families[address.family].artifacts.check(content);
  const head = await requireRevision(database, address, null);
  const etag = await readEtag(deps, head);
  if (!hasStrongMatch(tags, etag)) throw preconditionFailed(head, etag);
  try {
    const next = await decide(deps, head, content);
    return await commit(database, head, next, writeContent(content as JsonValue));
  } catch (error) {
    if (!(error instanceof HeadMovedError)) throw error;
    const moved = await requireRevision(database, address, null);
    throw preconditionFailed(moved, await readEtag(deps, moved));
  }
}

/** An error of the Family counts only if the head is still the one of `If-Match`: the precondition comes first (spec 10 §1.2). */
async function decide(
  { database, families }: ArtifactWriteDeps,
  head: StoredRevision,
  content: ReplaceRequest['content'],
): Promise<NextRevision> {
  try {
    return await families[head.family].artifacts.replace(database, head, content);
  } catch (error) {
    const now = await requireRevision(database, head, null);
    throw now.revision === head.revision ? error : new HeadMovedError();
  }
}

/** Locks the row in `source_sequences` and then the head, and writes the system Source, in one round trip. */
function commit(
  database: Database,
  head: StoredRevision,
  next: NextRevision,
  recorded: WrittenContent,
): Promise<TaggedRevision> {
  const { tenantId, scopeId, scopeKey } = head;
  return database.prismaTransaction(async (transaction) => {
    const { sql } = transaction;
    const [, { source }, revision] = await Promise.all([
      ensureSourceSequence(sql, tenantId, scopeKey),
      recordArtifactWrite(sql, { tenantId, scopeId, content: recorded }),
      lockHead(sql, head),
    ]);
    if (revision !== head.revision) throw new HeadMovedError();
    const written = await next.write(transaction, source);
    return presentRevision(head, written);
  });
}

function preconditionFailed(
  { family, artifactId, revision }: StoredRevision,
  currentEtag: string,
): ServiceError {
  return serviceError('precondition_failed', {
    details: { current: { family, artifact_id: artifactId, revision }, current_etag: currentEtag },
  });
}
