import type { ArtifactAddress, Family } from '@continuity/contract';
import type { ArtifactPublication, PublishRequest } from '@continuity/contract/artifacts';
import type { Database, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { asDigest, canonicalJson } from '@continuity/kernel/json';
import { requireScopes } from '../scopes/index.ts';
import { recordArtifactWrite, writeContent } from '../sources/index.ts';
import type {
  ArtifactFamilies,
  ArtifactRules,
  ArtifactWriteDeps,
  FirstRevision,
  StoredRevision,
} from './family.ts';
import { findOrigin, findPublication, storePublication } from './publication-store.ts';
import { readDigest, requireRevision } from './read.ts';

/** The revision to publish. Immutable. */
interface Published {
  revision: StoredRevision;
  /** 64 hex digits. */
  contentDigest: string;
  origin: ArtifactAddress;
}

type Publish = NonNullable<ArtifactRules['publish']>;

/**
 * Copies one exact revision into another Scope as revision one of a new Artifact (spec 10 §7), once for each key of the
 * target. Throws 422 `capability_not_supported` before it reads anything, 409 `publication_conflict`, 404, and the errors
 * of the Family.
 */
export async function publishArtifact(
  deps: ArtifactWriteDeps,
  tenantId: TenantId,
  request: PublishRequest,
): Promise<ArtifactPublication> {
  const { database, families } = deps;
  const publish = requirePublish(families, request.source.artifact.family);
  const known = await findAnswer(database, tenantId, request);
  if (known !== undefined) return known;
  await requireScopes(database, tenantId, [request.source.scope_id, request.target_scope_id]);
  const published = await findPublished(deps, tenantId, request.source);
  const target = { tenantId, scopeId: request.target_scope_id };
  try {
    const copy = await publish(database, target, published.revision);
    return await write(database, request, published, copy);
  } catch (error) {
    // An equal concurrent request can cause any error, such as `artifact_exists` of a Handoff, and its answer is the right one.
    const first = await findAnswer(database, tenantId, request);
    if (first === undefined) throw error;
    return first;
  }
}

function requirePublish(families: ArtifactFamilies, family: Family): Publish {
  const { publish } = families[family].artifacts;
  if (publish !== null) return publish;
  throw serviceError('capability_not_supported', {
    message: `A ${family} cannot be published. Publish an Artifact of another Family.`,
    details: { capability: `${family}_publication` },
  });
}

/** Returns the stored answer for the key. Throws 409 `publication_conflict` if it is for another source. */
async function findAnswer(
  database: Database,
  tenantId: TenantId,
  { source, target_scope_id, idempotency_key }: PublishRequest,
): Promise<ArtifactPublication | undefined> {
  const known = await findPublication(database, tenantId, target_scope_id, idempotency_key);
  if (known === undefined || canonicalJson(known.source) === canonicalJson(source)) return known;
  throw serviceError('publication_conflict', { details: { current: known } });
}

async function findPublished(
  deps: ArtifactWriteDeps,
  tenantId: TenantId,
  source: PublishRequest['source'],
): Promise<Published> {
  const { family, artifact_id: artifactId, revision: number } = source.artifact;
  const address = { tenantId, scopeId: source.scope_id, family, artifactId };
  const revision = await requireRevision(deps.database, address, number);
  const contentDigest = await readDigest(deps, revision);
  const origin = number === 1 ? await findOrigin(deps.database, revision) : undefined;
  return { revision, contentDigest, origin: origin ?? source };
}

/** Locks the target's row in `source_sequences` first, as every writer does. */
function write(
  database: Database,
  { source, target_scope_id: scopeId, idempotency_key: idempotencyKey }: PublishRequest,
  { revision, contentDigest, origin }: Published,
  copy: FirstRevision,
): Promise<ArtifactPublication> {
  const { tenantId } = revision;
  const { family } = source.artifact;
  const content = writeContent({
    schema: 'service.artifact-publication.v1',
    source,
    origin,
    content_digest: asDigest(contentDigest),
  });
  return database.prismaTransaction(async (transaction) => {
    const recorded = await recordArtifactWrite(transaction.sql, { tenantId, scopeId, content });
    const { artifactId } = await copy.write(transaction, { tenantId, scopeId, ...recorded });
    const { scopeKey } = recorded;
    const publication = { tenantId, scopeKey, artifactId, idempotencyKey, source, origin, contentDigest };
    await storePublication(transaction, publication);
    return {
      source,
      target: { scope_id: scopeId, artifact: { family, artifact_id: artifactId, revision: 1 } },
      content_digest: contentDigest,
    };
  });
}
