import { type CandidateFamily, candidateFamilies } from '@continuity/contract';
import type { Actor, Candidate, ListCandidatesRequest } from '@continuity/contract/review';
import {
  column,
  pick,
  type Queries,
  type ScopeKey,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { findScopeKey } from '../scopes/index.ts';
import {
  type CandidateAddress,
  type CandidateHead,
  type CandidateVersion,
  findHead,
  presentCandidate,
  presentVersion,
} from './candidate.ts';

/** A page of Candidates at their current versions. */
interface CandidatePage {
  candidates: Candidate[];
  next_cursor: string | null;
}

/**
 * Reads a page of a Scope's Candidates, ascending by id. It costs one index range for each Family and one query for the
 * versions, whatever the Scope holds. Throws 400 `invalid_cursor`.
 */
export async function listCandidates(
  queries: Queries,
  cursors: CursorCodec,
  tenantId: TenantId,
  { scope_id: scopeId, status, family, cursor, limit }: ListCandidatesRequest,
): Promise<CandidatePage> {
  const binding = { tenantId, operation: 'list_artifact_candidates', query: [scopeId, status, family] };
  const after = cursor === null ? null : cursors.decode(binding, cursor, z.uuid());
  const scopeKey = await findScopeKey(queries.sql, tenantId, scopeId);
  if (scopeKey === undefined) return { candidates: [], next_cursor: null };
  const families = family === null ? candidateFamilies : [family];
  const ranges = await Promise.all(
    families.map((one) => readRange(queries, { tenantId, scopeKey, status, family: one }, after, limit + 1)),
  );
  const heads = ranges
    .flat()
    .sort(byId)
    .slice(0, limit + 1);
  const page = heads.slice(0, limit);
  const last = heads.length > limit ? page.at(-1) : undefined;
  return {
    candidates: await readVersions(queries, tenantId, page),
    next_cursor: last === undefined ? null : cursors.encode(binding, last.candidateId),
  };
}

function readRange(
  { prisma }: Queries,
  range: { tenantId: TenantId; scopeKey: ScopeKey; status: string; family: CandidateFamily },
  after: string | null,
  take: number,
): Promise<CandidateHead[]> {
  return prisma.candidate.findMany({
    where: { ...range, ...(after !== null && { candidateId: { gt: after } }) },
    orderBy: { candidateId: 'asc' },
    take,
  });
}

/** Compares ids of one length in hexadecimal digits, as the index does. */
function byId(left: CandidateHead, right: CandidateHead): number {
  return left.candidateId < right.candidateId ? -1 : 1;
}

async function readVersions(
  { prisma }: Queries,
  tenantId: TenantId,
  heads: readonly CandidateHead[],
): Promise<Candidate[]> {
  if (heads.length === 0) return [];
  const rows = await prisma.candidateVersion.findMany({
    where: { tenantId, OR: heads.map(({ candidateId, version }) => ({ candidateId, version })) },
  });
  return await runInSlices(presentPage(heads, new Map(rows.map((row) => [row.candidateId, row]))));
}

/** In steps, because the proposals of a page can have 15 MB of JSON. */
function* presentPage(
  heads: readonly CandidateHead[],
  versions: ReadonlyMap<string, CandidateVersion>,
): Steps<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const head of heads) {
    const version = versions.get(head.candidateId);
    if (version !== undefined) candidates.push(presentCandidate(head, version));
    yield;
  }
  return candidates;
}

/** Limit of a page, in bytes of JSON (spec 40 §4). */
const maxPageBytes = 4 * 1024 * 1024;

/** Upper bound of all other fields of a version together, in bytes of JSON. */
const otherFieldBytes = 2048;

/** A page of versions, newest first. */
interface VersionPage {
  versions: { candidate: Candidate; created_at: string; actor: Actor | null }[];
  next_cursor: string | null;
}

/** The size of each version, so that a page reads no more than it shows. */
const sizesStatement = statement(
  'candidate_version_sizes',
  `SELECT version, octet_length(proposal) + octet_length(source_refs::text) + octet_length(artifact_refs::text)
     + octet_length(coalesce(to_json(reason)::text, '')) + ${otherFieldBytes} AS bytes
   FROM candidate_versions WHERE tenant_id = $1 AND candidate_id = $2 AND version < $3 ORDER BY version DESC LIMIT $4`,
  { ...pick(tables.candidate_versions, 'version'), bytes: column.integer },
);

/** Reads a page of the versions of a Candidate, newest first. Throws 404 `candidate_not_found`, 400 `invalid_cursor`. */
export async function listVersions(
  queries: Queries,
  cursors: CursorCodec,
  address: CandidateAddress,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<VersionPage> {
  const { tenantId, scopeId, candidateId } = address;
  const binding = { tenantId, operation: 'list_candidate_versions', query: [scopeId, candidateId] };
  const before = cursor === null ? null : cursors.decode(binding, cursor, z.int());
  const head = await findHead(queries, address);
  if (head === undefined) throw serviceError('candidate_not_found');
  const next = [tenantId, candidateId, before ?? head.version + 1, limit + 1];
  const sizes = await queries.sql.rows(sizesStatement, next);
  const shown = takeFitting(sizes.slice(0, limit));
  const last = shown.length < sizes.length ? shown.at(-1) : undefined;
  const rows = await queries.prisma.candidateVersion.findMany({
    where: { tenantId, candidateId, version: { in: shown } },
    orderBy: { version: 'desc' },
  });
  return {
    versions: rows.map((row) => ({
      candidate: row.version === head.version ? presentCandidate(head, row) : presentVersion(head, row),
      created_at: row.createdAt.toISOString(),
      actor: row.actor === null ? null : { label: row.actor },
    })),
    next_cursor: last === undefined ? null : cursors.encode(binding, last),
  };
}

/** The first versions that fit into a page; at least one. */
function takeFitting(sizes: readonly { version: number; bytes: number }[]): number[] {
  let left = maxPageBytes;
  const rest = sizes.findIndex(({ bytes }, index) => {
    left -= bytes;
    return left < 0 && index > 0;
  });
  return (rest === -1 ? sizes : sizes.slice(0, rest)).map(({ version }) => version);
}
