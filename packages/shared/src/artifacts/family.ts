import type { ArtifactRef, Family, SourceTypeRef } from '@continuity/contract';
import type { CreateRequest, ReplaceRequest } from '@continuity/contract/artifacts';
import type {
  ArtifactKey,
  Database,
  PrismaTransaction,
  Queries,
  ScopeKey,
  TenantId,
} from '@continuity/kernel/database';
import type { JsonObject } from '@continuity/kernel/json';

/** A Scope by its id. It may not exist. */
export interface ScopeAddress {
  tenantId: TenantId;
  scopeId: string;
}

/** The Scope of a new Artifact, and the system Source that records its request. */
export interface NewArtifact extends ScopeAddress {
  scopeKey: ScopeKey;
  source: SourceTypeRef;
}

/** The Sources and Artifact revisions from which a revision was made. */
export type Lineage = Pick<RevisionFacts, 'sources' | 'artifacts'>;

/** The properties that revisions of every Family have. */
export interface RevisionFacts {
  artifactId: string;
  revision: number;
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
}

/** A stored revision. */
export interface StoredRevision extends RevisionFacts {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
  family: Family;
  artifactKey: ArtifactKey;
  /** Canonical JSON; null if the Family computes the content from rows of its own, and in lists. */
  content: string | null;
  /** 64 hex digits; null until the first read computes it. */
  contentDigest: string | null;
}

/** The content of a revision with its digest, 64 hex digits. */
export interface PresentedContent {
  content: JsonObject;
  contentDigest: string;
}

/** A revision with its content. */
export type WrittenRevision = RevisionFacts & PresentedContent;

/** Revision one of a new Artifact, ready to write. */
export interface FirstRevision {
  /** Writes the revision with all rows of the Family, in the transaction that wrote its system Source. */
  write(transaction: PrismaTransaction, artifact: NewArtifact): Promise<WrittenRevision>;
}

/** The next revision, decided and not yet written. */
export interface NextRevision {
  /**
   * Writes the revision. The caller has locked the head and found it unchanged since the decision. May commit the
   * transaction, so nothing may run in it afterwards.
   */
  write(transaction: PrismaTransaction, source: SourceTypeRef): Promise<WrittenRevision>;
}

/**
 * How the Artifact operations check, store, publish and present the content of a Family (spec 10 §6.3). All Families share the rest
 * of these operations.
 */
export interface ArtifactRules<Created = CreateRequest['content'], Replaced = ReplaceRequest['content']> {
  /** Checks the rules that the shape cannot express and that depend on no stored value. Throws 422. */
  check(content: Created | Replaced): void;
  /** Fills in the defaults of a Create, so that equal requests under one Idempotency-Key compare equal (spec 10 §11.3). */
  complete(content: Created): JsonObject;
  /**
   * Decides revision one, outside of a transaction: reading a package and analyzing long texts can take seconds. The Scope may not
   * exist. Checks that need its key belong in `write`.
   */
  create(queries: Queries, scope: ScopeAddress, content: Created): Promise<FirstRevision>;
  /** Decides the next revision, outside of a transaction. Throws if the state of `head` does not allow it. */
  replace(queries: Queries, head: StoredRevision, content: Replaced): Promise<NextRevision>;
  /**
   * Decides the copy of a revision of another Scope, as revision one of a new Artifact (spec 10 §7), outside of a transaction. Its
   * `write` throws if the state of the source or of the target does not allow it. Null for a Family that cannot be published.
   */
  publish:
    | null
    | ((queries: Queries, scope: ScopeAddress, published: StoredRevision) => Promise<FirstRevision>);
  /** Returns the content of any revision. */
  present(queries: Queries, stored: StoredRevision): Promise<PresentedContent>;
}

/** The rules of every Family, as the composition root of a service provides them. */
export type ArtifactFamilies = { readonly [F in Family]: { readonly artifacts: ArtifactRules } };

/** Dependencies of the writes of Artifacts. */
export interface ArtifactWriteDeps {
  database: Database;
  families: ArtifactFamilies;
}

/** Dependencies of the reads, which also run in a transaction. */
export interface ArtifactReadDeps {
  database: Queries;
  families: ArtifactFamilies;
}
