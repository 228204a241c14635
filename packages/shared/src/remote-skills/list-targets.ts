import { maxPublications } from '@continuity/contract/remote-skills';
import { type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { findScopeKey } from '../scopes/index.ts';
import type { BodyOf, RemoteSkillDeps } from './deps.ts';
import {
  joinSkill,
  type PublicationRow,
  presentPublication,
  publicationColumns,
  selectPublication,
} from './publication.ts';
import { presentTarget, selectTarget, type TargetRow, targetColumns } from './target.ts';

const ofScope = `SELECT ${selectTarget} FROM remote_skill_targets t WHERE t.tenant_id = $1 AND t.scope_key = $2`;

const listStatement = statement(
  'list_remote_targets',
  `${ofScope} ORDER BY (t.state = 'revoked'), t.created_at, t.target_id LIMIT $3`,
  targetColumns,
);

const findStatement = statement('find_remote_target', `${ofScope} AND t.target_id = $3`, targetColumns);

/** Reads at most twice the shown publications of each target, so that the time does not grow with the removals. */
const publicationsStatement = statement(
  'list_remote_publications',
  `SELECT ${selectPublication} FROM unnest($3::text[]) AS listed (target_id) CROSS JOIN LATERAL (
     (SELECT * FROM remote_skill_publications o
      WHERE o.tenant_id = $1 AND o.scope_key = $2 AND o.target_id = listed.target_id AND o.state <> 'unpublished'
      ORDER BY o.artifact_id LIMIT ${maxPublications})
     UNION ALL
     (SELECT * FROM remote_skill_publications o
      WHERE o.tenant_id = $1 AND o.scope_key = $2 AND o.target_id = listed.target_id AND o.state = 'unpublished'
      ORDER BY o.observed_at DESC LIMIT ${maxPublications})
   ) AS p
   ${joinSkill}`,
  publicationColumns,
);

/** Lists the targets of a Scope, or one of them, with their publications. */
export async function listTargets(
  { database, settings }: RemoteSkillDeps,
  tenantId: TenantId,
  { scope_id: scopeId, target_id: targetId, limit }: BodyOf<'list_remote_skill_targets'>,
) {
  return database.snapshot(async (sql) => {
    const scopeKey = await findScopeKey(sql, tenantId, scopeId);
    if (scopeKey === undefined) return { targets: [] };
    const rows =
      targetId === null
        ? await sql.rows(listStatement, [tenantId, scopeKey, limit])
        : await sql.rows(findStatement, [tenantId, scopeKey, targetId]);
    const published = await readPublications(sql, rows, [tenantId, scopeKey]);
    return {
      targets: rows.map((row) => ({
        target: presentTarget(row, scopeId, settings.REMOTE_OFFLINE_MS),
        publications: selectShown(published.get(row.target_id) ?? []).map((one) =>
          presentPublication(one, scopeId),
        ),
      })),
    };
  });
}

async function readPublications(
  sql: Sql,
  targets: readonly TargetRow[],
  key: unknown[],
): Promise<Map<string, PublicationRow[]>> {
  const ids = targets.map(({ target_id }) => target_id);
  const rows = ids.length === 0 ? [] : await sql.rows(publicationsStatement, [...key, ids]);
  return Map.groupBy(rows, ({ target_id }) => target_id);
}

/** Omits the oldest confirmed removals beyond the limit, and orders the others by Artifact id. */
function selectShown(rows: readonly PublicationRow[]): PublicationRow[] {
  const removedAt = ({ state, observed_at }: PublicationRow) =>
    state === 'unpublished' ? (observed_at?.getTime() ?? 0) : Number.POSITIVE_INFINITY;
  return [...rows]
    .sort((left, right) =>
      removedAt(left) < removedAt(right) ? 1 : removedAt(left) > removedAt(right) ? -1 : 0,
    )
    .slice(0, maxPublications)
    .sort((left, right) => (left.artifact_id < right.artifact_id ? -1 : 1));
}
