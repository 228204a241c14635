import {
  type LexicalQuery,
  lexicalParameters,
  maxWhole,
  scoringOfFew,
  scoringOfMany,
} from '../lexical/index.ts';
import { type DocumentFamily, documentSpace, firstDocumentBatch } from './term-space.ts';

const tables = {
  texts: 'document_projections',
  identity: ['artifact_key'],
  age: 'artifact_key',
  terms: 'document_terms',
  holders: 'documents',
  ascending: `array_cat(c.terms, '{}')`,
};

/**
 * Common table expressions for a search of one Family's heads (spec 20 S6 to S8). The last one is `scored`, with
 * `artifact_key` and `score` of each admitted head, and `scope` has the Scope's key. Parameters are `documentParameters`:
 * $1 is the tenant, $8 the limit, and those from $11 on are free.
 */
export const documentHits = `${scopeWhere('true')}, ${scoringOfMany(tables)}`;

/**
 * As `documentHits`, where a Scope has few; where it has many, nothing is found. The term of batch 0 is of no use to it, but a
 * parameter that nothing reads has no type.
 */
export const fewDocumentHits = `
  ${scopeWhere(`t.documents <= ${maxWhole} AND $7::bigint IS NOT NULL`)}, ${scoringOfFew(tables)}`;

/** Whether the Scope of a row has more heads of a Family than `fewDocumentHits` looks at. */
export function hasManyDocuments(scope: string, family: DocumentFamily): string {
  return `EXISTS (
    SELECT FROM document_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key AND t.family = '${family}'
      AND t.documents > ${maxWhole})`;
}

function scopeWhere(condition: string): string {
  return `
  scope AS (
    SELECT c.scope_key, t.documents AS total, t.entered, t.languages,
           t.total_length::float8 / nullif(t.documents, 0) AS average
    FROM scopes c JOIN document_totals t ON t.tenant_id = c.tenant_id AND t.scope_key = c.scope_key AND t.family = $10
    WHERE c.tenant_id = $1 AND c.scope_id = $2 AND ${condition}
  )`;
}

export function documentParameters(query: LexicalQuery, family: DocumentFamily): unknown[] {
  const space = documentSpace(query.tenantId, query.scopeId, family);
  return [...lexicalParameters(query, space, firstDocumentBatch(space)), family];
}
