import { column, type ScopeKey, type Sql, statement, type TenantId, tables } from '@continuity/shared/kernel';
import { experiencesOfScope, languagesOfExperiences } from '../experience/index.ts';
import { entriesOfScope, languagesOfScope } from '../memory/index.ts';
import type { CorpusRow } from '../search/index.ts';

/** Limit of referenced Scopes that a preparation reads (spec 20 P2). */
const maxReferenced = 15;

/** A Scope in the `context_references` of the current one. */
export interface ReferencedScope {
  scopeId: string;
  /** Its active Memory entries. */
  entries: CorpusRow;
  experiences: CorpusRow;
}

/** The Scopes of one context. */
interface ContextScopes {
  scopeKey: ScopeKey;
  /** Ascending. */
  referenced: ReferencedScope[];
}

/** Stored references ascend. Each is looked up by its whole key; one to a Scope that no longer exists does not count. */
const findContextScopes = statement(
  'find_context_scopes',
  `SELECT c.scope_key, r.scope_ids, r.entries, r.languages, r.experiences, r.languages_of_experiences
   FROM scopes c CROSS JOIN LATERAL (
     SELECT coalesce(array_agg(scope_id), '{}') AS scope_ids,
            coalesce(array_agg(entries), '{}') AS entries, coalesce(array_agg(languages), '{}') AS languages,
            coalesce(array_agg(experiences), '{}') AS experiences,
            coalesce(array_agg(languages_of_experiences), '{}') AS languages_of_experiences
     FROM (
       SELECT r.scope_id, other.*
       FROM unnest(c.context_references) WITH ORDINALITY AS r(scope_id, n)
       CROSS JOIN LATERAL (
         SELECT ${entriesOfScope('s')} AS entries, ${languagesOfScope('s')} AS languages,
                ${experiencesOfScope('s')} AS experiences, ${languagesOfExperiences('s')} AS languages_of_experiences
         FROM scopes s
         WHERE s.tenant_id = c.tenant_id AND s.scope_id = r.scope_id OFFSET 0
       ) AS other
       ORDER BY r.n LIMIT ${maxReferenced}
     ) AS known
   ) AS r
   WHERE c.tenant_id = $1 AND c.scope_id = $2`,
  {
    scope_key: tables.scopes.scope_key,
    scope_ids: column.text.array(),
    entries: column.bigint.array(),
    languages: column.integer.array(),
    experiences: column.bigint.array(),
    languages_of_experiences: column.integer.array(),
  },
);

/** Reads a Scope and the Scopes that it refers to directly; undefined for an unknown Scope. */
export async function readContextScopes(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<ContextScopes | undefined> {
  const row = await sql.first(findContextScopes, [tenantId, scopeId]);
  if (row === undefined) return undefined;
  return {
    scopeKey: row.scope_key,
    referenced: row.scope_ids.map((referenced, index) => ({
      scopeId: referenced,
      entries: { total: row.entries[index] ?? 0, languages: row.languages[index] ?? 0 },
      experiences: {
        total: row.experiences[index] ?? 0,
        languages: row.languages_of_experiences[index] ?? 0,
      },
    })),
  };
}
