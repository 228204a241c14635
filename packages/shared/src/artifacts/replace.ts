import type { ReplaceRequest } from '@continuity/contract/artifacts';
import {
  type Database,
  type JsonValue,
  type ServiceError,
  type Sql,
  serviceError,
} from '@continuity/shared/kernel';
import { createSource, ensureSourceSequence } from '../sources/index.ts';
import { ifMatch } from './etag.ts';
import { artifactFamilies } from './families/index.ts';
import type { NextRevision, StoredRevision } from './family.ts';
import { presentRevision, type TaggedRevision } from './present.ts';
import { readEtag, requireRevision } from './read.ts';
import { type ArtifactAddress, lockHead } from './store.ts';

export interface Replacement {
  address: ArtifactAddress;
  ifMatch: string;
  content: ReplaceRequest['content'];
}

/** Another writer has moved the head since it was read. */
class HeadMoved extends Error {}

/**
 * The next revision and its system Source, if the head has a tag of `If-Match` (spec 10 §6.4). It is decided before any
 * lock is taken: a revision never changes, so what was decided holds where the locked head is still that revision.
 * Throws 404, 412, and what the Family refuses.
 */
export async function replaceArtifact(
  database: Database,
  { address, ifMatch: tags, content }: Replacement,
): Promise<TaggedRevision> {
  artifactFamilies[address.family].check(content);
  const head = await requireRevision(database.sql, address, null);
  const etag = await readEtag(database.sql, head);
  if (!ifMatch(tags, etag)) throw preconditionFailed(head, etag);
  try {
    const next = await decide(database.sql, head, content);
    return await commit(database, head, next, content as JsonValue);
  } catch (error) {
    if (!(error instanceof HeadMoved)) throw error;
    const moved = await requireRevision(database.sql, address, null);
    throw preconditionFailed(moved, await readEtag(database.sql, moved));
  }
}

/** A refusal counts only if it is about the head that the caller meant: the precondition comes first (spec 10 §1.2). */
async function decide(
  sql: Sql,
  head: StoredRevision,
  content: ReplaceRequest['content'],
): Promise<NextRevision> {
  try {
    return await artifactFamilies[head.family].replace(sql, head, content);
  } catch (error) {
    const now = await requireRevision(sql, head, null);
    throw now.revision === head.revision ? error : new HeadMoved();
  }
}

/** Source line, system Source and head are locked in one round trip, the line first. */
function commit(
  database: Database,
  head: StoredRevision,
  next: NextRevision,
  recorded: JsonValue,
): Promise<TaggedRevision> {
  const { tenantId, scopeId, scopeKey } = head;
  return database.transaction(async (sql) => {
    const [, source, revision] = await Promise.all([
      ensureSourceSequence(sql, tenantId, scopeKey),
      createSource(sql, { tenantId, scopeId, content: recorded, eligible: false }, null),
      lockHead(sql, head),
    ]);
    if (revision !== head.revision) throw new HeadMoved();
    const written = await next.commit(sql, { source_type: 'content', source_id: source.sourceId });
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
