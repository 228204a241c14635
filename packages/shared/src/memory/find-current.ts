import { type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { scopeKey } from '../scopes/index.ts';
import { currentColumns, currentRow, hasEnded, joinVersion } from './entry.ts';
import { equalityHash } from './equality.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry } from './revision-rows.ts';
import { hasValidity, type Validity, validityValues } from './validity.ts';

/** Address of a Memory Artifact, by the ids that callers use. */
interface MemoryAddress {
  tenantId: TenantId;
  scopeId: string;
  artifactId: string;
}

const fromCurrentStates = `
  FROM artifacts a
  JOIN memory_states s ON s.tenant_id = a.tenant_id AND s.artifact_key = a.artifact_key AND s.valid_to IS NULL
  ${joinVersion}
  WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3`;

/** Of equal entries: the active one with the lowest id, else the most recently deactivated one (spec 20 R3). */
const findEqualWhere = (name: string, validity: string) =>
  statement(
    name,
    `SELECT ${currentColumns} ${fromCurrentStates}
     AND s.equality_hash = $4 AND v.kind = $5 AND v.text = $6 AND ${validity}
   ORDER BY s.active DESC, CASE WHEN s.active THEN s.entry_id END, s.valid_from DESC
   LIMIT 1`,
    currentRow,
  );

/** Equal to a statement without validity, and to one with validity (spec 26 M13). */
const findEqualStatement = findEqualWhere('find_equal_entry', `NOT ${hasEnded}`);
const findSameStatement = findEqualWhere(
  'find_equal_entry_with_validity',
  '(v.holds_from, v.holds_until) IS NOT DISTINCT FROM ($7::timestamptz, $8::timestamptz)',
);

const findEntryStatement = statement(
  'find_current_entry',
  `SELECT ${currentColumns} ${fromCurrentStates} AND s.entry_id = $4`,
  currentRow,
);

/** Finds the entry at the head that is equal to a statement, or undefined. */
export function findEqual(
  sql: Sql,
  { tenantId, scopeId, artifactId }: MemoryAddress,
  content: EntryContent,
  validity: Validity,
): Promise<CurrentEntry | undefined> {
  const values = [tenantId, scopeId, artifactId, equalityHash(content), content.kind, content.text];
  return hasValidity(validity)
    ? sql.first(findSameStatement, [...values, ...validityValues(validity)])
    : sql.first(findEqualStatement, values);
}

/** Finds an entry at the head by its id, a UUID. */
export function findCurrent(
  sql: Sql,
  { tenantId, scopeId, artifactId }: MemoryAddress,
  entryId: string,
): Promise<CurrentEntry | undefined> {
  return sql.first(findEntryStatement, [tenantId, scopeId, artifactId, entryId]);
}
