import {
  asDigest,
  canonicalJson,
  canonicalJsonWithin,
  hashHex,
  invalidRequest,
  type JsonValue,
  newId,
  type ScopeKey,
  type Sql,
  type TenantId,
  tooManyBytes,
} from '@continuity/shared/kernel';
import { appendSource, type FlushDelay } from './append.ts';

/** Limit of JSON content, in bytes of canonical JSON (spec 10 §8, spec 30 §2.2.1). */
export const maxContentBytes = 1_048_576;

export interface SourceToCreate {
  tenantId: TenantId;
  scopeId: string;
  content: JsonValue;
  /** False for the request of an Artifact write, which is not evidence (spec 10 §6.1.4). */
  eligible: boolean;
}

export interface CreatedSource {
  scopeKey: ScopeKey;
  sourceId: string;
  position: number;
  contentDigest: string;
}

/** Writes a Source of type `content` with a server-generated id, in the caller's transaction. */
export async function createSource(
  sql: Sql,
  source: SourceToCreate,
  delay: FlushDelay | null,
): Promise<CreatedSource> {
  const content = canonicalJson(source.content);
  const digest = hashHex(content);
  const sourceId = newId();
  const appended = await appendSource(
    sql,
    {
      tenantId: source.tenantId,
      scopeId: source.scopeId,
      sourceType: 'content',
      sourceId,
      content,
      contentDigest: Buffer.from(digest, 'hex'),
      metadata: null,
      eligible: source.eligible,
      record: source.eligible ? null : 'artifact-write',
    },
    delay,
  );
  const { scopeKey, position } = appended.source;
  return { scopeKey, sourceId, position, contentDigest: asDigest(digest) };
}

/** Throws 422 for content over `maxContentBytes`. */
export function checkContentSize(content: JsonValue): void {
  if (canonicalJsonWithin(content, maxContentBytes) !== undefined) return;
  throw invalidRequest([tooManyBytes('content', maxContentBytes)]);
}
