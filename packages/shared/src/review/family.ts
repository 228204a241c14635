import type { CandidateFamily } from '@continuity/contract';
import type { Candidate, Proposal, ProposalInput } from '@continuity/contract/review';
import type {
  PackageFilePart,
  PackageManifest,
  PackageSummary,
  SkillPackageRef,
} from '@continuity/contract/skills';
import type { ArtifactKey, Queries, ScopeKey, TenantId } from '@continuity/kernel/database';
import type { JsonObject } from '@continuity/kernel/json';
import type { SkillFields } from '@continuity/skill-packages';
import type { PreparedRevision, ScopeAddress } from '../artifacts/index.ts';

/** A Scope that exists. */
export interface ScopePlace {
  tenantId: TenantId;
  scopeKey: ScopeKey;
}

/** A checked content, ready to store as the version of a Candidate. */
export interface Proposed {
  family: CandidateFamily;
  /** As the service stores it. */
  content: JsonObject;
  /** A text whose first line is the title in lists. */
  title: string;
  /** Null for a Family without packages. */
  package: { ref: SkillPackageRef; executableCount: number } | null;
  /** Stores in the caller's transaction what the content refers to, such as a package. */
  store(queries: Queries, place: ScopePlace): Promise<void>;
}

/** Reads stored packages, in threads if they are large. */
export interface PackageReader {
  /** Reads the fields of a `SKILL.md`. */
  readFields(tenantId: TenantId, skillFile: Buffer): Promise<SkillFields>;
  /** Summarizes a canonical archive (spec 40 §4.10). */
  summarize(tenantId: TenantId, archive: Buffer): Promise<PackageSummary>;
}

/** A part of a file that a reviewer asks for, in bytes. */
export interface AskedPart {
  path: string;
  offset: number;
  maxBytes: number;
}

/** Which Artifacts a Candidate of a Family may replace. */
export interface TargetRules {
  readonly family: CandidateFamily;
  /** Throws if the state of the Artifact forbids its replacement. The caller has found that the target is its head. */
  checkTarget(queries: Queries, key: { tenantId: TenantId; artifactKey: ArtifactKey }): Promise<void>;
}

/** How Candidates of a Family are proposed, revised, approved and shown (spec 40 §3, §4). */
export interface CandidateRules<Sent = ProposalInput, Content = Proposal> extends TargetRules {
  /** Checks the rules that the shape of a proposal cannot express and that depend on no stored value. Throws 422. */
  check(sent: Sent): void;
  /** Fills in the defaults, so that equal proposals under one Idempotency-Key compare equal. */
  complete(sent: Sent): JsonObject;
  /** Decides the content to store. Runs after the checks of the evidence. Throws 422. */
  decide(queries: Queries, place: ScopePlace, sent: Sent): Promise<Proposed>;
  /** Checks what a revision may be made from, when a Candidate is approved. Throws 422. */
  checkLineage(candidate: Candidate): void;
  /** Reads and analyzes what an approval writes, outside of a transaction. Throws if it is not what was reviewed. */
  prepareApproved(
    deps: { queries: Queries; packageThreads: PackageReader },
    place: ScopePlace & ScopeAddress,
    content: Content,
  ): Promise<PreparedRevision>;
  /** Null for a Family without packages. */
  package: PackageRules<Content> | null;
}

/** How reviewers read the package of a Candidate (spec 40 §4). */
export interface PackageRules<Content = Proposal> {
  readManifest(queries: Queries, place: ScopePlace, content: Content): Promise<PackageManifest>;
  /** Throws 503 if no thread reads the package in time. */
  readSummary(
    deps: { queries: Queries; packageThreads: PackageReader },
    place: ScopePlace,
    ref: SkillPackageRef,
  ): Promise<PackageSummary>;
  /** Throws 422 at `path` for an unknown file. */
  readFile(queries: Queries, place: ScopePlace, content: Content, asked: AskedPart): Promise<PackageFilePart>;
  /** Returns the whole answer of the download. */
  readDownload(
    queries: Queries,
    place: ScopePlace,
    content: Content,
  ): Promise<{ body: Buffer; headers: Record<string, string> }>;
}

/** The rules of every Family with Candidates, as the composition root of a service provides them. */
export type CandidateFamilies = { readonly [F in CandidateFamily]: { readonly candidates: CandidateRules } };
