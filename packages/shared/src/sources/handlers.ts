import type { sourceOperations } from '@continuity/contract/sources';
import type { Database, PrismaTransaction, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { type CursorCodec, type Handlers, scopePath } from '@continuity/shared/handlers';
import { contentRef } from '../evidence/index.ts';
import { writeOnce } from '../idempotency/index.ts';
import type { FlushDelay } from './append.ts';
import type { sourceBodies, WrittenContent } from './bodies/index.ts';
import { type CreatedSource, captureContent, createSource, createSourceAlone } from './capture.ts';
import { findSource } from './find.ts';
import { listSources } from './list.ts';
import { checkSourceType, serializeSource } from './source.ts';

/** Dependencies of the operations on Sources. */
export interface SourceDeps {
  database: Database;
  cursors: CursorCodec;
  /** Delay of the automatic flush after a capture; null if it is off. */
  flushDelay: FlushDelay | null;
}

export const sourceHandlers: Handlers<typeof sourceOperations, SourceDeps, typeof sourceBodies> = {
  capture_content_source: async ({ database, flushDelay }, { tenantId }, { body }) => {
    const position = await captureContent(database, tenantId, body, flushDelay);
    return { body: { status: 'accepted', source: contentRef(body.source_id), position } };
  },

  create_source: async (deps, { tenantId }, { params, headers, body }) => {
    const scopeId = params.scope_id;
    const { content, occurred_at: occurredAt } = body;
    const created = await create(deps, tenantId, scopeId, headers['idempotency-key'], body);
    const identity = { scopeId, sourceType: 'content', sourceId: created.source_id };
    const { position, content_digest: contentDigest } = created;
    const answer = serializeSource({
      ...identity,
      content: content.canonical,
      position,
      contentDigest,
      occurredAt,
    });
    const Location = scopePath(scopeId, 'sources', 'content', created.source_id);
    return { ...answer, headers: { ...answer.headers, Location } };
  },

  get_source: async ({ database }, { tenantId }, { params }) => {
    const { scope_id, source_type, source_id } = params;
    const source = await findSource(database.sql, tenantId, scope_id, source_type, source_id);
    if (source === undefined) {
      // A stored Source has a valid type, so only an unknown Source needs the check.
      await checkSourceType(database.sql, tenantId, source_type);
      throw serviceError('source_not_found', { details: { scope_id, source_type, source_id } });
    }
    return serializeSource({ scopeId: scope_id, sourceType: source_type, sourceId: source_id, ...source });
  },

  list_sources: async ({ database, cursors }, { tenantId }, { params, query }) => ({
    body: await listSources(database.sql, cursors, { tenantId, scopeId: params.scope_id, ...query }),
  }),
};

/** Creates a Source; with an idempotency key, only once. */
async function create(
  { database, flushDelay }: SourceDeps,
  tenantId: TenantId,
  scopeId: string,
  key: string | undefined,
  {
    source_type,
    content,
    occurred_at,
  }: { source_type: string; content: WrittenContent; occurred_at: string | null },
) {
  const source = { tenantId, scopeId, content, occurredAt: occurred_at };
  const said = occurred_at === null ? '' : `"occurred_at":${JSON.stringify(occurred_at)},`;
  const answerOf = ({ sourceId, position, contentDigest }: CreatedSource) => ({
    source_id: sourceId,
    position,
    content_digest: contentDigest,
  });
  if (key === undefined) return answerOf(await createSourceAlone(database, source, flushDelay));
  const write = async ({ sql }: PrismaTransaction) => {
    const created = await createSource(sql, source, flushDelay);
    return { scopeKey: created.scopeKey, response: answerOf(created) };
  };
  return writeOnce(database, {
    tenantId,
    scopeId,
    operation: 'create_source',
    key,
    canonicalBody: `{"content":${content.canonical},${said}"source_type":${JSON.stringify(source_type)}}`,
    conflict: 'source_conflict',
    prepare: async () => write,
  });
}
