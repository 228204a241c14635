import { type CandidateFamily, candidateFamilies } from '@continuity/contract';
import type { Candidate, ListCandidatesRequest } from '@continuity/contract/review';
import type { Queries, ScopeKey, TenantId } from '@continuity/kernel/database';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { findScopeKey } from '../scopes/index.ts';
import { type CandidateHead, type CandidateVersion, presentCandidate } from './candidate.ts';

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
