import type { ExperienceContent } from '@continuity/contract/experience';
import { type Database, pick, statement, type TenantId, tables } from '@continuity/kernel/database';
import { canonicalJson, hashHex } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { projectDocument, replaceProjection } from '@continuity/shared/documents';
import { searchedText } from '@continuity/shared/experience';
import { recordArtifactWrite, writeContent } from '@continuity/shared/sources';

const addRevision = statement(
  'bench_add_experience',
  `WITH head AS (
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision) VALUES ($1, $2, 'experience', $3, 1)
     RETURNING artifact_key
   ), revision AS (
     INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, sources, content, content_digest)
     SELECT $1, artifact_key, 1, $4::jsonb, $5, decode($6, 'hex') FROM head
   )
   SELECT artifact_key FROM head`,
  pick(tables.artifacts, 'artifact_key'),
);

/** Writes the rows of an Experience Create, in the same order and transaction, with named statements alone. */
export function createWithStatements(
  database: Database,
  tenantId: TenantId,
  scopeId: string,
  content: ExperienceContent,
): Promise<void> {
  return database.transaction(async (sql) => {
    const write = { tenantId, scopeId, content: writeContent(content) };
    const { scopeKey, source } = await recordArtifactWrite(sql, write);
    const canonical = canonicalJson(content);
    const sources = JSON.stringify([source]);
    const values = [tenantId, scopeKey, newId(), sources, canonical, hashHex(canonical)];
    const head = await sql.first(addRevision, values);
    if (head === undefined) throw new Error('The head was not created.');
    const document = {
      tenantId,
      scopeId,
      scopeKey,
      family: 'experience',
      artifactKey: head.artifact_key,
    } as const;
    await replaceProjection(
      sql,
      document,
      await projectDocument(document, document.family, searchedText(content)),
    );
  });
}
