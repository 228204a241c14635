import {
  canonicalJson,
  type Database,
  hashHex,
  type JsonValue,
  type PrismaTransaction,
  type Sql,
  serviceError,
  statement,
} from '@continuity/shared/kernel';

/** A create that may carry the request header `Idempotency-Key` (spec 10 §1.8). */
export interface IdempotentWrite<Response extends JsonValue> {
  tenantId: number;
  scopeId: string;
  operation: string;
  key: string | undefined;
  /** The request body, defaults filled in. */
  body: JsonValue;
  /** The 409 for a key that was used with another body. */
  conflict: 'source_conflict' | 'artifact_conflict';
  /** The effect, in the transaction in which the key is remembered. */
  write: (transaction: PrismaTransaction) => Promise<{ scopeKey: number; response: Response }>;
}

const findAnswer = statement(
  'find_idempotent_answer',
  `SELECT i.body_digest, i.response
   FROM scopes s JOIN idempotency_keys i USING (tenant_id, scope_key)
   WHERE s.tenant_id = $1 AND s.scope_id = $2 AND i.operation = $3 AND i.key = $4`,
);

const keepAnswer = statement(
  'keep_idempotent_answer',
  `INSERT INTO idempotency_keys (tenant_id, scope_key, operation, key, body_digest, response)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING key`,
);

/** Thrown to roll back the effect of the slower one of two concurrent uses of a key. */
class KeyWasTaken extends Error {
  override message = 'The Idempotency-Key was taken meanwhile.';
}

/** Runs the write once for each key: a repeat answers as the first time, another body under the key is 409. */
export async function writeOnce<Response extends JsonValue>(
  database: Database,
  write: IdempotentWrite<Response>,
): Promise<Response> {
  const { key } = write;
  if (key === undefined) {
    return database.prismaTransaction(async (transaction) => (await write.write(transaction)).response);
  }
  const digest = Buffer.from(hashHex(canonicalJson(write.body)), 'hex');
  const known = await findFirst(database.sql, write, key, digest);
  if (known !== undefined) return known;
  try {
    return await database.prismaTransaction((transaction) => writeAndKeep(transaction, write, key, digest));
  } catch (error) {
    // Also what the effect itself refuses may be the work of the faster one: a Handoff that is there already.
    const first = await findFirst(database.sql, write, key, digest);
    if (first === undefined) throw error;
    return first;
  }
}

async function writeAndKeep<Response extends JsonValue>(
  transaction: PrismaTransaction,
  write: IdempotentWrite<Response>,
  key: string,
  digest: Buffer,
): Promise<Response> {
  const { scopeKey, response } = await write.write(transaction);
  const values = [write.tenantId, scopeKey, write.operation, key, digest, JSON.stringify(response)];
  const [kept] = await transaction.sql.rows(keepAnswer, values);
  if (kept === undefined) throw new KeyWasTaken();
  return response;
}

async function findFirst<Response extends JsonValue>(
  sql: Sql,
  { tenantId, scopeId, operation, conflict }: IdempotentWrite<Response>,
  key: string,
  digest: Buffer,
): Promise<Response | undefined> {
  const first = await sql.first<{ body_digest: Buffer; response: Response }>(findAnswer, [
    tenantId,
    scopeId,
    operation,
    key,
  ]);
  if (first === undefined || first.body_digest.equals(digest)) return first?.response;
  throw serviceError(conflict, {
    message: 'The Idempotency-Key was used with another body. Use a new key for a new body.',
    details: { reason: 'idempotency_key' },
  });
}
