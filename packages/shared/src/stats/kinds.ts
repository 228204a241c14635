import { maxListed } from '@continuity/contract/stats';
import { invalidRequest, type Sql, statement } from '@continuity/shared/kernel';
import type { Counting } from './counter-query.ts';
import { Counters, type Of } from './counters.ts';
import { packed, unpack } from './packed.ts';

/** Entries of one kind in one Scope; null for the sum over all Scopes that are not listed. */
export type KindCounter = [Of, kind: string, active: number, inactive: number];

/** Most kinds that one answer goes through. */
const maxKinds = 100_000;

/** A Scope has no more kinds than entries: only where it has many of those, its look-up has to be bounded. */
const kindsOf = (keys: string) => `
  WITH totals AS MATERIALIZED (
    SELECT scope_key, active_entries + inactive_entries > ${maxListed} AS is_large FROM memory_totals
    WHERE tenant_id = $1 AND scope_key = ANY (${keys}::bigint[])
  )
  SELECT scope_key, kind, active_entries, inactive_entries FROM memory_kinds
  WHERE tenant_id = $1 AND scope_key = ANY (ARRAY(SELECT scope_key FROM totals WHERE NOT is_large)) AND is_used
  UNION ALL
  SELECT s.scope_key, k.kind, k.active_entries, k.inactive_entries
  FROM totals AS s CROSS JOIN LATERAL (
    SELECT kind, active_entries, inactive_entries FROM memory_kinds
    WHERE tenant_id = $1 AND scope_key = s.scope_key AND is_used ORDER BY kind LIMIT ${maxListed}
  ) AS k WHERE s.is_large
  LIMIT ${maxKinds + 1}`;

/**
 * The first kinds of each Scope in $2, and the first of the sums over those in $3: what is among the first of them all is
 * among the first of each Scope that has it.
 */
const selectKinds = statement(
  'stats_kinds',
  `SELECT ${packed('scope_key')} AS scopes, json_agg(kind) AS kinds, ${packed('active')} AS active,
     ${packed('inactive')} AS inactive, count(scope_key) + coalesce(max(added_up), 0)::bigint AS counted
   FROM (
     SELECT scope_key, kind, active_entries, inactive_entries, NULL::bigint FROM (${kindsOf('$2')}) AS listed
     UNION ALL
     (SELECT NULL, kind, sum(active_entries), sum(inactive_entries), (sum(count(*)) OVER ())::bigint
      FROM (${kindsOf('$3')}) AS others GROUP BY kind ORDER BY kind LIMIT ${maxListed})
   ) AS counted(scope_key, kind, active, inactive, added_up)`,
);

/** Column by column; null where there is no kind at all. */
interface KindsRow {
  scopes: string | null;
  kinds: string[] | null;
  active: string | null;
  inactive: string | null;
  counted: number;
}

/** The first 1000 kinds of each Scope. Throws 422 where that is more than one answer goes through. */
export async function readKinds(sql: Sql, { tenantId, keys }: Counting): Promise<Counters<KindCounter>> {
  const row = await sql.first<KindsRow>(selectKinds, [tenantId, ...keys]);
  if (row === undefined) return new Counters([]);
  requireFewKinds(row.counted);
  return new Counters([unpack(row.scopes), row.kinds ?? [], unpack(row.active), unpack(row.inactive)]);
}

/** Throws 422 for more kinds than one answer goes through. */
export function requireFewKinds(count: number): void {
  if (count <= maxKinds) return;
  throw invalidRequest([
    { path: 'selection', message: `selects Scopes with more than ${maxKinds} kinds of entries` },
  ]);
}
