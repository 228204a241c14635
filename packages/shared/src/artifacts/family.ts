import type { ArtifactRef, Family, SourceTypeRef } from '@continuity/contract';
import type { CreateRequest, ReplaceRequest } from '@continuity/contract/artifacts';
import type { JsonObject, Sql, Transaction } from '@continuity/shared/kernel';

/** Where a new Artifact goes, and the system Source that records its request. */
export interface NewArtifact {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
  source: SourceTypeRef;
}

/** What every revision has. */
export interface RevisionFacts {
  artifactId: string;
  revision: number;
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
}

/** A revision as it is kept. */
export interface StoredRevision extends RevisionFacts {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
  family: Family;
  artifactKey: number;
  /** Canonical JSON; null where the Family computes it from its own rows. */
  content: string | null;
  /** 64 hex digits; null where nobody has asked yet. */
  contentDigest: string | null;
}

/** A revision's content with its digest, 64 hex digits. */
export interface PresentedContent {
  content: JsonObject;
  contentDigest: string;
}

/** A revision with its content. */
export type WrittenRevision = RevisionFacts & PresentedContent;

/** A next revision that is decided and not yet written. */
export interface NextRevision {
  /** Writes and commits it. The head is locked, and is still the revision that it was decided on. */
  commit(sql: Transaction, source: SourceTypeRef): Promise<WrittenRevision>;
}

/** What the Families do differently (spec 10 §6.3). Everything else of the Artifact operations is the same for all. */
export interface ArtifactFamily<Created = CreateRequest['content'], Replaced = ReplaceRequest['content']> {
  /** What the shape of a content cannot say, and nothing stored has a part in. Throws 422. */
  check(content: Created | Replaced): void;
  /** The content of a Create with all that a caller may leave out: by it a repeat under one key is told (spec 10 §11.3). */
  complete(content: Created): JsonObject;
  /** Revision one, with all the rows of the Family, in the transaction that wrote its system Source. */
  create(sql: Sql, artifact: NewArtifact, content: Created): Promise<WrittenRevision>;
  /** Decides the next revision, outside of a transaction. Throws what the state of `head` refuses. */
  replace(sql: Sql, head: StoredRevision, content: Replaced): Promise<NextRevision>;
  /**
   * A revision of another Scope as revision one here, in the transaction that wrote its system Source (spec 10 §7). Throws
   * what the state of the source or of the target refuses. Null where the Family is not published.
   */
  publish: null | ((sql: Sql, artifact: NewArtifact, published: StoredRevision) => Promise<WrittenRevision>);
  /** The content of any revision. */
  present(sql: Sql, stored: StoredRevision): Promise<PresentedContent>;
}
