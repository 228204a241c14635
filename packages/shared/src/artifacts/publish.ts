import type { ArtifactAddress } from '@continuity/contract';
import type { ArtifactPublication, PublishRequest } from '@continuity/contract/artifacts';
import { asDigest, canonicalJson, type Database, serviceError } from '@continuity/shared/kernel';
import { requireScopes } from '../scopes/index.ts';
import { createSource } from '../sources/index.ts';
import { artifactFamilies } from './families/index.ts';
import type { ArtifactFamily, StoredRevision } from './family.ts';
import { findOrigin, findPublication, keepPublication } from './publication-store.ts';
import { readDigest, requireRevision } from './read.ts';

/** What is published, as it was found: none of it ever changes. */
interface Published {
  revision: StoredRevision;
  /** 64 hex digits. */
  contentDigest: string;
  origin: ArtifactAddress;
}

type Publish = NonNullable<ArtifactFamily['publish']>;

/**
 * Copies one exact revision into another Scope as revision one of an Artifact of its own (spec 10 §7), once for each key of
 * the target. Throws 422 `capability_not_supported` before anything is read, 409 `publication_conflict`, 404, and what the
 * Family refuses.
 */
export async function publishArtifact(
  database: Database,
  tenantId: number,
  request: PublishRequest,
): Promise<ArtifactPublication> {
  const publish = publishingOf(request.source.artifact.family);
  const known = await findAnswer(database, tenantId, request);
  if (known !== undefined) return known;
  await requireScopes(database.sql, tenantId, [request.source.scope_id, request.target_scope_id]);
  const published = await findPublished(database, tenantId, request.source);
  try {
    return await write(database, request, published, publish);
  } catch (error) {
    // Also what the Family refuses may be the work of an equal request that was faster: a Handoff that is there already.
    const first = await findAnswer(database, tenantId, request);
    if (first === undefined) throw error;
    return first;
  }
}

function publishingOf(family: PublishRequest['source']['artifact']['family']): Publish {
  const { publish } = artifactFamilies[family];
  if (publish !== null) return publish;
  throw serviceError('capability_not_supported', {
    message: `A ${family} cannot be published. Publish an Artifact of another Family.`,
    details: { capability: `${family}_publication` },
  });
}

/** The answer that the key has already. Throws 409 `publication_conflict` where it is that of another source. */
async function findAnswer(
  { sql }: Database,
  tenantId: number,
  { source, target_scope_id, idempotency_key }: PublishRequest,
): Promise<ArtifactPublication | undefined> {
  const known = await findPublication(sql, tenantId, target_scope_id, idempotency_key);
  if (known === undefined || canonicalJson(known.source) === canonicalJson(source)) return known;
  throw serviceError('publication_conflict', { details: { current: known } });
}

async function findPublished(
  { sql }: Database,
  tenantId: number,
  source: PublishRequest['source'],
): Promise<Published> {
  const { family, artifact_id: artifactId, revision: number } = source.artifact;
  const address = { tenantId, scopeId: source.scope_id, family, artifactId };
  const revision = await requireRevision(sql, address, number);
  const contentDigest = await readDigest(sql, revision);
  const origin = number === 1 ? await findOrigin(sql, revision) : undefined;
  return { revision, contentDigest, origin: origin ?? source };
}

/** The line of the target's Sources is locked first, as by every writer; the record of the publication ends the transaction. */
function write(
  database: Database,
  { source, target_scope_id: scopeId, idempotency_key: idempotencyKey }: PublishRequest,
  { revision, contentDigest, origin }: Published,
  publish: Publish,
): Promise<ArtifactPublication> {
  const { tenantId } = revision;
  const { family } = source.artifact;
  const recorded = {
    schema: 'service.artifact-publication.v1',
    source,
    origin,
    content_digest: asDigest(contentDigest),
  };
  return database.transaction(async (sql) => {
    const system = { tenantId, scopeId, content: recorded, eligible: false };
    const { scopeKey, sourceId } = await createSource(sql, system, null);
    const target = { tenantId, scopeId, scopeKey, source: { source_type: 'content', source_id: sourceId } };
    const { artifactId } = await publish(sql, target, revision);
    const kept = { tenantId, scopeKey, artifactId, idempotencyKey, source, origin, contentDigest };
    await keepPublication((last, values) => sql.commitWith(last, values), kept);
    return {
      source,
      target: { scope_id: scopeId, artifact: { family, artifact_id: artifactId, revision: 1 } },
      content_digest: contentDigest,
    };
  });
}
