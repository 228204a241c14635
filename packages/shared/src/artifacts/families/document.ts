import type { SearchedFamily, SourceTypeRef } from '@continuity/contract';
import {
  type ArtifactKey,
  canonicalJson,
  hashHex,
  type JsonObject,
  newId,
  type PrismaTransaction,
} from '@continuity/shared/kernel';
import { writeFirst, writeNext } from '../../documents/index.ts';
import type { Lineage, NewArtifact, StoredRevision, WrittenRevision } from '../family.ts';

/** The content of a revision, with the text that lexical search reads for it. */
export interface Document {
  family: SearchedFamily;
  content: JsonObject;
  /** Canonical JSON of `content`. */
  canonical: string;
  /** 64 hex digits. */
  contentDigest: string;
  searched: string;
}

/** Prepares a content for its rows. */
export function toDocument(family: SearchedFamily, content: JsonObject, searched: string): Document {
  const canonical = canonicalJson(content);
  return { family, content, canonical, contentDigest: hashHex(canonical), searched };
}

const noLineage: Lineage = { sources: [], artifacts: [] };

/** Writes revision one of a new Artifact. `evidence` is its lineage besides the system Source. */
export async function createDocument(
  transaction: PrismaTransaction,
  { source, ...scope }: NewArtifact,
  { family, content, canonical, contentDigest, searched }: Document,
  evidence: Lineage = noLineage,
): Promise<WrittenRevision & { artifactKey: ArtifactKey }> {
  const artifactId = newId();
  const lineage = withSource(source, evidence);
  const revision = { ...lineage, content: canonical, contentDigest, searched };
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
  { family, content, canonical, contentDigest, searched }: Document,
  evidence: Lineage = { sources: [], artifacts },
): Promise<WrittenRevision> {
  const lineage = withSource(source, evidence);
  const revision = { ...lineage, content: canonical, contentDigest, searched };
  await writeNext(transaction, { ...head, family }, revision);
  return { ...lineage, content, contentDigest, artifactId, revision: head.revision + 1 };
}

/** Puts the Source that records the request before the other Sources (spec 10 §6.1.5). */
function withSource(source: SourceTypeRef, { sources, artifacts }: Lineage): Lineage {
  return { sources: [source, ...sources], artifacts };
}
