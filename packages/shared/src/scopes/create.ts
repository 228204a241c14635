import type { ScopeDescriptor, ScopeFields } from '@continuity/contract/scopes';
import {
  type Database,
  digestHex,
  isUniqueViolation,
  newId,
  type Sql,
  serviceError,
  statement,
  tables,
} from '@continuity/shared/kernel';
import { descriptorBytes, descriptorColumns, descriptorRow } from './descriptor.ts';
import { namedScopes, normalizeFields } from './fields.ts';
import { requireScopes } from './require-scopes.ts';

export interface ScopeCreation {
  tenantId: number;
  idempotencyKey: string;
  fields: ScopeFields;
}

const findStatement = statement(
  'find_scope_creation',
  `SELECT c.body_digest, ${descriptorColumns}
   FROM scope_creations c JOIN scopes s USING (tenant_id, scope_key)
   WHERE c.tenant_id = $1 AND c.idempotency_key = $2`,
  {
    body_digest: tables.scope_creations.body_digest,
    ...descriptorRow,
  },
);

const createStatement = statement(
  'create_scope',
  `WITH scope AS (
     INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id, context_references, external_references,
       descriptor_bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING scope_key
   )
   INSERT INTO scope_creations (tenant_id, idempotency_key, body_digest, scope_key)
   SELECT $1, $9, $10, scope_key FROM scope`,
);

/**
 * Makes a Scope once for each key of the tenant (spec 10 §4): a repeat answers that Scope as it is now, without a look at
 * what it names. Throws 409 `scope_conflict` for a key with another body, and then 404 for an unknown parent or reference.
 */
export async function createScope(database: Database, creation: ScopeCreation): Promise<ScopeDescriptor> {
  const { tenantId, idempotencyKey } = creation;
  const fields = normalizeFields(creation.fields);
  const digest = Buffer.from(digestHex(fields), 'hex');
  const known = await findCreation(database.sql, creation, digest);
  if (known !== undefined) return known;
  await requireScopes(database.sql, tenantId, namedScopes(fields));
  const made: ScopeDescriptor = { scope_id: newId(), ...fields, version: 1 };
  try {
    await database.transaction((sql) =>
      sql.commitWith(createStatement, [
        tenantId,
        made.scope_id,
        made.title,
        made.summary,
        made.parent_scope_id,
        made.context_references,
        JSON.stringify(made.external_references),
        descriptorBytes(made),
        idempotencyKey,
        digest,
      ]),
    );
    return made;
  } catch (error) {
    // The slower one of two concurrent uses of a key answers what the other one made.
    if (!isUniqueViolation(error, 'scope_creations_key')) throw error;
    const first = await findCreation(database.sql, creation, digest);
    if (first === undefined) throw new Error('A creation whose key was taken is not there.');
    return first;
  }
}

async function findCreation(
  sql: Sql,
  { tenantId, idempotencyKey }: ScopeCreation,
  digest: Buffer,
): Promise<ScopeDescriptor | undefined> {
  const found = await sql.first(findStatement, [tenantId, idempotencyKey]);
  if (found === undefined) return undefined;
  const { body_digest, ...descriptor } = found;
  if (body_digest.equals(digest)) return descriptor;
  throw serviceError('scope_conflict', {
    message: 'The idempotency_key was used with another body. Use a new key for a new body.',
    details: { reason: 'idempotency_key', scope_id: descriptor.scope_id },
  });
}
