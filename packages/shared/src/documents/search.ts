import {
  askedKeys,
  type LexicalQuery,
  lexicalParameters,
  maxWhole,
  scoringOfFew,
  scoringOfMany,
} from '../lexical/index.ts';
import { scopeKey } from '../scopes/index.ts';
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
 * `artifact_key` and `score` of each admitted head, and `scope` has the Scope's key and `languages`. Parameters are
 * `documentParameters`: $1 is the tenant, $8 the limit, and those from $11 on are free.
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
    SELECT t.scope_key, t.documents AS total, t.entered, t.languages,
           t.total_length::float8 / nullif(t.documents, 0) AS average
    FROM document_totals t
    WHERE t.tenant_id = $1 AND t.scope_key = ${scopeKey} AND t.family = $10 AND ${condition}
  )`;
}

/** The languages of a Family's heads in the Scope of a row. */
export function languagesOfDocuments(scope: string, family: DocumentFamily): string {
  return `coalesce((
    SELECT t.languages FROM document_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key AND t.family = '${family}'), 0)`;
}

/** @param languages those that words are looked for in (`languagesOf`) */
export function documentParameters(
  query: LexicalQuery,
  languages: number,
  family: DocumentFamily,
): unknown[] {
  const space = documentSpace(query.tenantId, query.scopeId, family);
  const keys = askedKeys(query, languages, space);
  return [...lexicalParameters(query, keys, firstDocumentBatch(space)), family];
}
