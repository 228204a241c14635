import type { SearchedFamily, SourceTypeRef } from '@continuity/contract';
import type { ArtifactKey, PrismaTransaction } from '@continuity/kernel/database';
import { canonicalJson, hashHex, type JsonObject } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { projectDocument, writeFirst, writeNext } from '../../documents/index.ts';
import type { Projection } from '../../search/index.ts';
import type { Lineage, NewArtifact, ScopeAddress, StoredRevision, WrittenRevision } from '../family.ts';
import { withSource } from './lineage.ts';

/** The content of a revision, analyzed for search. */
export interface Document {
  family: SearchedFamily;
  content: JsonObject;
  /** Canonical JSON of `content`. */
  canonical: string;
  /** 64 hex digits. */
  contentDigest: string;
  projection: Projection;
}

/** Prepares a content for its rows in a Scope. Lexical search reads `searched` for it; see `projectDocument`. */
export async function toDocument(
  scope: ScopeAddress,
  family: SearchedFamily,
  content: JsonObject,
  searched: string,
): Promise<Document> {
  const canonical = canonicalJson(content);
  const projection = await projectDocument(scope, family, searched);
  return { family, content, canonical, contentDigest: hashHex(canonical), projection };
}

const noLineage: Lineage = { sources: [], artifacts: [] };

/** Writes revision one of a new Artifact. `evidence` is its lineage besides the system Source. */
export async function createDocument(
  transaction: PrismaTransaction,
  { source, ...scope }: NewArtifact,
  { family, content, canonical, contentDigest, projection }: Document,
  evidence: Lineage = noLineage,
): Promise<WrittenRevision & { artifactKey: ArtifactKey }> {
  const artifactId = newId();
  const lineage = withSource(source, evidence);
  const revision = { ...lineage, content: canonical, contentDigest, projection };
  const artifactKey = await writeFirst(transaction, { ...scope, family, artifactId }, revision);
  return { ...lineage, content, contentDigest, artifactId, artifactKey, revision: 1 };
}

/** The head that a document replaces. */
export type DocumentHead = Omit<StoredRevision, 'family' | 'sources' | 'content' | 'contentDigest'>;

/**
 * Writes the next revision of a locked head. Without `evidence`, it keeps the Artifacts of the revision that it replaces (spec 10
 * §6.1.6).
 */
export async function replaceDocument(
  transaction: PrismaTransaction,
  { artifactId, artifacts, ...head }: DocumentHead,
  source: SourceTypeRef,
  { family, content, canonical, contentDigest, projection }: Document,
  evidence: Lineage = { sources: [], artifacts },
): Promise<WrittenRevision> {
  const lineage = withSource(source, evidence);
  const revision = { ...lineage, content: canonical, contentDigest, projection };
  await writeNext(transaction, { ...head, family }, revision);
  return { ...lineage, content, contentDigest, artifactId, revision: head.revision + 1 };
}
