import {
  type Database,
  digestFromBytes,
  newId,
  type ScopeKey,
  type Sql,
  type TenantId,
} from '@continuity/shared/kernel';
import { appendAlone, appendSource } from './append.ts';
import type { Appended, FlushDelay } from './append-statements.ts';
import type { WrittenContent } from './bodies/index.ts';
import type { NewSource } from './new-source.ts';

export interface SourceToCreate {
  tenantId: TenantId;
  scopeId: string;
  content: WrittenContent;
  /** False for the request of an Artifact write, which is not evidence (spec 10 §6.1.4). */
  eligible: boolean;
}

export interface CreatedSource {
  scopeKey: ScopeKey;
  sourceId: string;
  position: number;
  /** The contract's `digest` form. */
  contentDigest: string;
}

/** Writes a Source of type `content` with a server-generated id, in the caller's transaction. */
export async function createSource(
  sql: Sql,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const written = toSource(source);
  return toCreated(written, await appendSource(sql, written, delay));
}

/** As `createSource`, in its own transaction; a single statement if the Scope has a sequence. */
export async function createSourceAlone(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const written = toSource(source);
  return toCreated(written, await appendAlone(database, written, delay));
}

function toSource({ tenantId, scopeId, content, eligible }: SourceToCreate): NewSource {
  return {
    tenantId,
    scopeId,
    sourceType: 'content',
    sourceId: newId(),
    content: content.canonical,
    contentDigest: Buffer.from(content.digest, 'hex'),
    metadata: null,
    eligible,
    record: eligible ? null : 'artifact-write',
  };
}

function toCreated({ sourceId, contentDigest }: NewSource, { source }: Appended): CreatedSource {
  const { scopeKey, position } = source;
  return { scopeKey, sourceId, position, contentDigest: digestFromBytes(contentDigest) };
}
