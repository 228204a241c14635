import {
  column,
  optimizationFence,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { experiencesOfScope, languagesOfExperiences } from '../experience/index.ts';
import { entriesOfScope, languagesOfScope } from '../memory/index.ts';
import type { CorpusFacts } from '../search/index.ts';

/** Limit of referenced Scopes that a preparation reads (spec 20 P2). */
const maxReferenced = 15;

/** A Scope in the `context_references` of the current one. */
export interface ReferencedScope {
  scopeId: string;
  /** Its active Memory entries. */
  entries: CorpusFacts;
  experiences: CorpusFacts;
}

/** The Scopes of one context. */
interface ContextScopes {
  scopeKey: ScopeKey;
  /** Ascending. */
  referenced: ReferencedScope[];
}

/**
 * Answers a row for each referenced Scope that still exists, in the stored order, which ascends. If there is none, answers one row in
 * which all columns but `scope_key` are null. Looks up each Scope by its whole key.
 */
const findContextScopes = statement(
  'find_context_scopes',
  `SELECT c.scope_key, r.scope_id, r.entries, r.languages, r.experiences, r.languages_of_experiences
   FROM scopes c LEFT JOIN LATERAL (
     SELECT other.*
     FROM unnest(c.context_references) WITH ORDINALITY AS named(scope_id, n)
     CROSS JOIN LATERAL (
       SELECT s.scope_id, ${entriesOfScope('s')} AS entries, ${languagesOfScope('s')} AS languages,
              ${experiencesOfScope('s')} AS experiences, ${languagesOfExperiences('s')} AS languages_of_experiences
       FROM scopes s
       WHERE s.tenant_id = c.tenant_id AND s.scope_id = named.scope_id ${optimizationFence}
     ) AS other
     ORDER BY named.n LIMIT ${maxReferenced}
   ) AS r ON true
   WHERE c.tenant_id = $1 AND c.scope_id = $2`,
  {
    scope_key: tables.scopes.scope_key,
    scope_id: tables.scopes.scope_id.orNull(),
    entries: column.bigint,
    languages: column.integer,
    experiences: column.bigint,
    languages_of_experiences: column.integer,
  },
);

/** Reads a Scope and the Scopes that it refers to directly; undefined for an unknown Scope. */
export async function readContextScopes(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<ContextScopes | undefined> {
  const rows = await sql.rows(findContextScopes, [tenantId, scopeId]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    scopeKey: first.scope_key,
    referenced: rows.flatMap(({ scope_id, entries, languages, experiences, languages_of_experiences }) => {
      if (scope_id === null) return [];
      return {
        scopeId: scope_id,
        entries: { total: entries, languages },
        experiences: { total: experiences, languages: languages_of_experiences },
      };
    }),
  };
}

/** A Context Reference that a preparation does not read (spec 20 P2). */
export interface SkippedScope {
  scope_id: string;
  reason: 'unknown' | 'over_limit';
}

const findReferences = statement(
  'find_context_references',
  `SELECT named.scope_id, EXISTS (
     SELECT FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = named.scope_id
   ) AS is_known
   FROM scopes c CROSS JOIN LATERAL unnest(c.context_references) WITH ORDINALITY AS named(scope_id, n)
   WHERE c.tenant_id = $1 AND c.scope_id = $2 ORDER BY named.n`,
  { scope_id: column.text, is_known: column.boolean },
);

/** Finds the Context References of a Scope that a preparation does not read. At most 256 look-ups (spec 10 §4). */
export async function findSkipped(sql: Sql, tenantId: TenantId, scopeId: string): Promise<SkippedScope[]> {
  const rows = await sql.rows(findReferences, [tenantId, scopeId]);
  const read = new Set(rows.filter(({ is_known }) => is_known).slice(0, maxReferenced));
  return rows
    .filter((row) => !read.has(row))
    .map(({ scope_id, is_known }) => ({ scope_id, reason: is_known ? 'over_limit' : 'unknown' }));
}
