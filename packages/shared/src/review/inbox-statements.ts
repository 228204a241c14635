import type { CandidateFamily } from '@continuity/contract';
import {
  type CandidateOrigin,
  type CandidateStatus,
  type InboxItem,
  maxCounted,
} from '@continuity/contract/review';
import type { LifecycleState, PackageSummary, SkillPackageRef } from '@continuity/contract/skills';
import {
  column,
  optimizationFence,
  pick,
  type RowOfStatement,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { highestId, isServerId, lowestId } from '@continuity/kernel/text';
import { resultOf, targetOf } from './candidate.ts';

/** The Candidates that an inbox shows: one index range for each pair of Family and origin. */
export interface InboxFilter {
  tenantId: TenantId;
  status: string;
  families: CandidateFamily[];
  origins: CandidateOrigin[];
}

/*
 * Statements and not queries of Prisma, which cannot merge index ranges. $3 and $4 have the Family and the origin of each range.
 * LATERAL with LIMIT reads no more of a range than a page can show.
 */

const ranges = 'unnest($3::text[], $4::text[]) AS wanted(family, origin)';
const inFamily = 'c.tenant_id = $1 AND c.status = $2 AND c.family = wanted.family';

/**
 * Only the index `candidates_of_tenant` gives this order without a sort, and the two comparisons select one range of it. With
 * `c.origin = wanted.origin` the planner may walk the primary key, and read the whole tenant for an origin that has no Candidate.
 * PostgreSQL 15 keeps the order of an index for comparisons, but not for `= ANY`.
 */
const findStatement = (name: string, order: 'oldest' | 'newest') => {
  const [isAfter, isWithin, direction] = order === 'oldest' ? ['>', '<=', 'ASC'] : ['<', '>=', 'DESC'];
  return statement(
    name,
    `SELECT c.candidate_id, c.scope_key FROM ${ranges} CROSS JOIN LATERAL (
     SELECT c.candidate_id, c.scope_key FROM candidates c
     WHERE ${inFamily} AND (c.origin, c.candidate_id) ${isAfter} (wanted.origin, $5) AND c.origin ${isWithin} wanted.origin
     ORDER BY c.origin ${direction}, c.candidate_id ${direction} LIMIT $6
   ) AS c ORDER BY c.candidate_id ${direction} LIMIT $6`,
    pick(tables.candidates, 'candidate_id', 'scope_key'),
  );
};

const findOldestStatement = findStatement('find_oldest_candidates', 'oldest');
const findNewestStatement = findStatement('find_newest_candidates', 'newest');

const findOneStatement = statement(
  'find_candidate_of_inbox',
  `SELECT c.candidate_id, c.scope_key FROM candidates c
   WHERE c.tenant_id = $1 AND c.candidate_id = $2 AND c.family = ANY ($3::text[]) AND c.origin = ANY ($4::text[])`,
  pick(tables.candidates, 'candidate_id', 'scope_key'),
);

/** `= ANY` keeps the planner from the primary key, as above. A count needs no order. */
const countStatement = statement(
  'count_inbox',
  `SELECT count(*) AS total FROM (
     SELECT FROM ${ranges} CROSS JOIN LATERAL (
       SELECT FROM candidates c WHERE ${inFamily} AND c.origin = ANY (ARRAY[wanted.origin]) LIMIT ${maxCounted + 1}
     ) AS c LIMIT ${maxCounted + 1}
   ) AS counted`,
  { total: column.bigint },
);

const countOfScopesStatement = statement(
  'count_inbox_of_scopes',
  `SELECT coalesce(sum(n.candidates), 0)::bigint AS total
   FROM unnest($5::bigint[]) AS selected(scope_key) CROSS JOIN LATERAL (
     SELECT c.candidates FROM candidate_counts c
     WHERE c.tenant_id = $1 AND c.scope_key = selected.scope_key AND c.status = $2
       AND (c.family, c.origin) IN (SELECT wanted.family, wanted.origin FROM ${ranges})
     ${optimizationFence}
   ) AS n`,
  { total: column.bigint },
);

const itemsStatement = statement(
  'read_inbox',
  `SELECT s.scope_id, s.title AS scope_title, c.*, a.head_revision, m.lifecycle_state, p.summary
   FROM unnest($2::uuid[]) AS page(candidate_id) CROSS JOIN LATERAL (
     SELECT scope_key, candidate_id, version, family, status, title, origin, target_id, target_revision, source_count,
       artifact_count, package, executable_count, created_at, updated_at, decided_at, decided_by, result_id, result_revision
     FROM candidates WHERE tenant_id = $1 AND candidate_id = page.candidate_id ${optimizationFence}
   ) AS c CROSS JOIN LATERAL (
     SELECT scope_id, title FROM scopes WHERE tenant_id = $1 AND scope_key = c.scope_key ${optimizationFence}
   ) AS s LEFT JOIN LATERAL (
     SELECT artifact_key, head_revision FROM artifacts
     WHERE tenant_id = $1 AND scope_key = c.scope_key AND family = c.family AND artifact_id = c.target_id ${optimizationFence}
   ) AS a ON true LEFT JOIN LATERAL (
     SELECT lifecycle_state FROM managed_skills WHERE tenant_id = $1 AND artifact_key = a.artifact_key ${optimizationFence}
   ) AS m ON true LEFT JOIN LATERAL (
     SELECT summary FROM skill_packages
     WHERE tenant_id = $1 AND scope_key = c.scope_key AND tree_digest = decode(c.package->>'tree_digest', 'hex') ${optimizationFence}
   ) AS p ON true`,
  {
    scope_id: tables.scopes.scope_id,
    scope_title: tables.scopes.title,
    ...pick(
      tables.candidates,
      'scope_key',
      'candidate_id',
      'version',
      'title',
      'target_id',
      'target_revision',
      'source_count',
      'artifact_count',
      'executable_count',
      'created_at',
      'updated_at',
      'decided_at',
      'decided_by',
      'result_id',
      'result_revision',
    ),
    family: tables.candidates.family.as<CandidateFamily>(),
    status: tables.candidates.status.as<CandidateStatus>(),
    origin: tables.candidates.origin.as<CandidateOrigin>(),
    package: tables.candidates.package.as<SkillPackageRef>(),
    head_revision: tables.artifacts.head_revision.orNull(),
    summary: tables.skill_packages.summary,
    lifecycle_state: tables.managed_skills.lifecycle_state.orNull().as<LifecycleState>(),
  },
);

type ItemRow = RowOfStatement<typeof itemsStatement>;

/** A Candidate of the tenant that the filter admits. */
interface FoundCandidate {
  candidateId: string;
  scopeKey: ScopeKey;
}

/** Finds the first Candidates after an id, ascending. */
export async function findOldest(
  sql: Sql,
  filter: InboxFilter,
  after: string | null,
  limit: number,
): Promise<FoundCandidate[]> {
  return toFound(await sql.rows(findOldestStatement, [...rangesOf(filter), after ?? lowestId, limit]));
}

/** Finds the first Candidates before an id, descending. */
export async function findNewest(
  sql: Sql,
  filter: InboxFilter,
  before: string | null,
  limit: number,
): Promise<FoundCandidate[]> {
  return toFound(await sql.rows(findNewestStatement, [...rangesOf(filter), before ?? highestId, limit]));
}

/** Finds one Candidate of the families and origins of the filter, in any status. */
export async function findOne(
  sql: Sql,
  { tenantId, families, origins }: InboxFilter,
  candidateId: string,
): Promise<FoundCandidate[]> {
  if (!isServerId(candidateId)) return [];
  return toFound(await sql.rows(findOneStatement, [tenantId, candidateId, families, origins]));
}

/** Counts the Candidates of the tenant, up to `maxCounted` + 1. */
export async function countAll(sql: Sql, filter: InboxFilter): Promise<number> {
  return (await sql.first(countStatement, rangesOf(filter)))?.total ?? 0;
}

/** Counts the Candidates of Scopes by their counters. */
export async function countSelected(
  sql: Sql,
  filter: InboxFilter,
  scopeKeys: readonly ScopeKey[],
): Promise<number> {
  return (await sql.first(countOfScopesStatement, [...rangesOf(filter), scopeKeys]))?.total ?? 0;
}

/** An item, and the place of its package. */
export interface PlacedItem {
  scopeKey: ScopeKey;
  item: InboxItem;
}

/** Reads what an inbox shows of Candidates, in the order of `ids`. An item lacks a summary that was never stored. */
export async function readItems(sql: Sql, tenantId: TenantId, ids: readonly string[]): Promise<PlacedItem[]> {
  if (ids.length === 0) return [];
  const rows = await sql.rows(itemsStatement, [tenantId, ids]);
  const byId = new Map(rows.map((row) => [row.candidate_id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ scopeKey: row.scope_key, item: toItem(row) }];
  });
}

function rangesOf({ tenantId, status, families, origins }: InboxFilter): unknown[] {
  const pairs = families.flatMap((family) => origins.map((origin) => ({ family, origin })));
  return [tenantId, status, pairs.map(({ family }) => family), pairs.map(({ origin }) => origin)];
}

function toFound(rows: readonly RowOfStatement<typeof findOldestStatement>[]): FoundCandidate[] {
  return rows.map(({ candidate_id, scope_key }) => ({ candidateId: candidate_id, scopeKey: scope_key }));
}

function toItem(row: ItemRow): InboxItem {
  const { family } = row;
  const target = targetOf({ family, targetId: row.target_id, targetRevision: row.target_revision });
  const head =
    target === null || row.head_revision === null ? null : { ...target, revision: row.head_revision };
  return {
    scope_id: row.scope_id,
    scope_title: row.scope_title,
    candidate_id: row.candidate_id,
    version: row.version,
    family,
    status: row.status,
    title: row.title,
    origin: row.origin,
    target,
    head,
    stale: staleness(row),
    source_count: row.source_count,
    artifact_count: row.artifact_count,
    package: row.package && presentPackage(row.package),
    executable_count: row.executable_count,
    package_summary: row.summary === null ? null : (JSON.parse(row.summary) as PackageSummary),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: row.decided_by === null ? null : { label: row.decided_by },
    result_artifact: resultOf({ family, resultId: row.result_id, resultRevision: row.result_revision }),
  };
}

/** Why an approval would be refused, in the order of its checks; null for a decided Candidate. */
function staleness({ status, target_revision, head_revision, lifecycle_state }: ItemRow): InboxItem['stale'] {
  if (status !== 'pending') return null;
  if (target_revision !== head_revision) return 'target_moved';
  return lifecycle_state === 'retired' ? 'target_retired' : null;
}

/** Restores the order of keys, which `jsonb` does not keep. */
function presentPackage({
  tree_digest,
  archive_digest,
  file_count,
  uncompressed_size,
  archive_size,
}: SkillPackageRef): SkillPackageRef {
  return { tree_digest, archive_digest, file_count, uncompressed_size, archive_size };
}
