import type { SearchedFamily } from '@continuity/contract';
import { type Database, pick, type Queries, statement, tables } from '@continuity/kernel/database';
import { findRevision, type StoredRevision } from '../artifacts/index.ts';
import { replaceProjection } from '../documents/index.ts';
import type { Projection } from '../search/index.ts';
import { lockSourceSequence } from '../sources/index.ts';
import { type ClaimedCorpus, type Position, positionValues, savePosition } from './claims.ts';

/** Analyzes the head of a document for search, by its Family. */
export type DocumentProjectors = {
  readonly [F in SearchedFamily]: {
    readonly artifacts: { project(queries: Queries, stored: StoredRevision): Promise<Projection> };
  };
};

const readDocument = statement(
  'read_document_to_reindex',
  `SELECT a.artifact_key, a.artifact_id FROM artifacts a
   WHERE a.tenant_id = $1 AND a.scope_key = $2 AND a.family = $3 AND a.artifact_key > $4
     AND EXISTS (SELECT FROM document_projections p WHERE p.tenant_id = $1 AND p.artifact_key = a.artifact_key)
   ORDER BY a.artifact_key LIMIT 1`,
  pick(tables.artifacts, 'artifact_key', 'artifact_id'),
);

/** The document is searched, and its head is that revision. A retired Skill has no projection. */
const isCurrent = statement(
  'is_document_current',
  `SELECT a.artifact_key FROM artifacts a JOIN document_projections p USING (tenant_id, artifact_key)
   WHERE a.tenant_id = $1 AND a.artifact_key = $2 AND a.head_revision = $3`,
  pick(tables.artifacts, 'artifact_key'),
);

/** Analyzes the next document of a Scope again; null after the last one. */
export async function reindexDocument(
  database: Database,
  projectors: DocumentProjectors,
  claimed: ClaimedCorpus & { corpus: SearchedFamily },
): Promise<Position | null> {
  const { tenantId, scopeId, scopeKey, corpus: family, after } = claimed;
  const row = await database.sql.first(readDocument, [tenantId, scopeKey, family, after.artifactKey]);
  if (row === undefined) return null;
  const { artifact_key: artifactKey, artifact_id: artifactId } = row;
  const head = await findRevision(database, { tenantId, scopeId, family, artifactId }, null);
  const projection = head && (await projectors[family].artifacts.project(database, head));
  const position = { artifactKey, entryId: after.entryId };
  await database.transaction(async (sql) => {
    // Every writer of the projections of a Scope holds this lock.
    await lockSourceSequence(sql, tenantId, scopeKey);
    const current = head && (await sql.first(isCurrent, [tenantId, artifactKey, head.revision]));
    if (current !== undefined && projection !== undefined)
      await replaceProjection(sql, { tenantId, scopeId, scopeKey, family, artifactKey }, projection);
    await sql.commitWith(savePosition, positionValues(claimed, position));
  });
  return position;
}
