import type { SearchedFamily, SourceTypeRef } from '@continuity/contract';
import type { ArtifactKey, PrismaTransaction, Queries, ScopeKey } from '@continuity/kernel/database';
import { canonicalJson, hashHex, type JsonObject } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { projectDocument, writeFirst, writeNext } from '../documents/index.ts';
import type { Projection } from '../search/index.ts';
import type {
  ArtifactRules,
  Lineage,
  NewArtifact,
  PresentedContent,
  RevisionFacts,
  ScopeAddress,
  StoredRevision,
  WrittenRevision,
} from './family.ts';

/** The Scope of a content. `scopeKey` is absent if the Scope may not exist. */
export type ContentPlace = ScopeAddress & { scopeKey?: ScopeKey };

/** The head that a revision replaces. */
export type DocumentHead = Omit<StoredRevision, 'family' | 'sources' | 'content' | 'contentDigest'>;

/** A content as the service stores it; a Family can add what it stores besides. */
interface Decided {
  content: JsonObject;
}

/** A Family that stores each content as one JSON document, and indexes the head for lexical search. */
interface DocumentFamily<Sent, Content extends Decided>
  extends Pick<ArtifactRules<Sent, Sent>, 'check' | 'complete'> {
  family: SearchedFamily;
  /** Decides what a Create or a Replace stores, outside of a transaction. */
  decide(queries: Queries, place: ContentPlace, sent: Sent): Promise<Content>;
  /** Returns the text that lexical search reads. */
  searchedText(decided: Content): string;
  /** Throws if the state of a revision forbids its publication. Runs before the transaction and again in it. */
  checkPublished?(queries: Queries, published: StoredRevision): Promise<void>;
  /** Reads what a published revision stores, besides its document. */
  decidePublished(queries: Queries, published: StoredRevision): Promise<Content>;
  /** Writes further rows in the transaction of a revision. */
  rows?: {
    beforeFirst(transaction: PrismaTransaction, artifact: NewArtifact, decided: Content): Promise<void>;
    afterFirst(
      transaction: PrismaTransaction,
      artifact: NewArtifact & { artifactKey: ArtifactKey; artifactId: string },
      decided: Content,
    ): Promise<void>;
    /** The head is locked. */
    beforeNext(transaction: PrismaTransaction, head: DocumentHead, decided: Content): Promise<void>;
  };
}

/** A content that is analyzed for search and ready to write. `evidence` is the lineage of the revision besides its system Source. */
export interface PreparedRevision {
  content: JsonObject;
  /** Writes revision one of a new Artifact. */
  writeFirst(
    transaction: PrismaTransaction,
    artifact: NewArtifact,
    evidence?: Lineage,
  ): Promise<WrittenRevision>;
  /** Writes the next revision of a locked head. Without `evidence`, it keeps the Artifacts of the head (spec 10 §6.1.6). */
  writeNext(
    transaction: PrismaTransaction,
    head: DocumentHead,
    source: SourceTypeRef,
    evidence?: Lineage,
  ): Promise<WrittenRevision>;
}

/** The rules of a Family of documents, with those that approvals share. */
export interface DocumentRules<Sent = never, Content = never> extends ArtifactRules<Sent, Sent> {
  searchedText(decided: Content): string;
  /** Analyzes a stored revision for search. A long one takes a second. */
  project(queries: Queries, stored: StoredRevision): Promise<Projection>;
  /** Analyzes a content for its rows. A long one takes a second: call it before a lock is taken. */
  prepare(scope: ScopeAddress, decided: Content): Promise<PreparedRevision>;
}

const noLineage: Lineage = { sources: [], artifacts: [] };

/** Makes the Artifact rules of a Family whose content is one document. */
export function documentRules<Sent, Content extends Decided>(
  own: DocumentFamily<Sent, Content>,
): DocumentRules<Sent, Content> {
  const { family, check, complete, searchedText, rows } = own;
  const prepare = async (scope: ScopeAddress, decided: Content): Promise<PreparedRevision> => {
    const { content } = decided;
    const canonical = canonicalJson(content);
    const contentDigest = hashHex(canonical);
    const projection = await projectDocument(scope, family, searchedText(decided));
    const revisionOf = (lineage: Lineage) => ({ ...lineage, content: canonical, contentDigest, projection });
    const writtenOf = (facts: RevisionFacts): WrittenRevision => ({ ...facts, content, contentDigest });
    return {
      content,
      writeFirst: async (transaction, artifact, evidence = noLineage) => {
        await rows?.beforeFirst(transaction, artifact, decided);
        const { source, ...place } = artifact;
        const artifactId = newId();
        const lineage = withSource(source, evidence);
        const artifactKey = await writeFirst(
          transaction,
          { ...place, family, artifactId },
          revisionOf(lineage),
        );
        await rows?.afterFirst(transaction, { ...artifact, artifactKey, artifactId }, decided);
        return writtenOf({ ...lineage, artifactId, revision: 1 });
      },
      writeNext: async (transaction, head, source, evidence) => {
        await rows?.beforeNext(transaction, head, decided);
        const { artifactId, artifacts, ...key } = head;
        const lineage = withSource(source, evidence ?? { sources: [], artifacts });
        await writeNext(transaction, { ...key, family }, revisionOf(lineage));
        return writtenOf({ ...lineage, artifactId, revision: head.revision + 1 });
      },
    };
  };
  return {
    check,
    complete,
    searchedText,
    project: async (queries, stored) =>
      projectDocument(stored, family, searchedText(await own.decidePublished(queries, stored))),
    prepare,
    create: async (queries, scope, sent) => {
      const prepared = await prepare(scope, await own.decide(queries, scope, sent));
      return { write: (transaction, artifact) => prepared.writeFirst(transaction, artifact) };
    },
    replace: async (queries, head, sent) => {
      const prepared = await prepare(head, await own.decide(queries, head, sent));
      return { write: (transaction, source) => prepared.writeNext(transaction, head, source) };
    },
    publish: async (queries, scope, published) => {
      await own.checkPublished?.(queries, published);
      const prepared = await prepare(scope, await own.decidePublished(queries, published));
      return {
        write: async (transaction, artifact) => {
          await own.checkPublished?.(transaction, published);
          return prepared.writeFirst(transaction, artifact);
        },
      };
    },
    present: async (_queries, stored) => readStoredContent(stored),
  };
}

/** Puts the Source that records the request before the other Sources (spec 10 §6.1.5). */
export function withSource<Cited extends Lineage>(source: SourceTypeRef, cited: Cited): Cited {
  return { ...cited, sources: [source, ...cited.sources] };
}

/** Returns the content of a Family that stores content and digest with each revision. */
export function readStoredContent<Content extends JsonObject>({
  content,
  contentDigest,
}: StoredRevision): PresentedContent & { content: Content } {
  if (content === null || contentDigest === null)
    throw new Error('A revision is stored without its content.');
  return { content: JSON.parse(content) as Content, contentDigest };
}
