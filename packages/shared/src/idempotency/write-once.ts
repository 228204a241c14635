import type { Database, PrismaTransaction, ScopeKey, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { hashBytes, type JsonObject } from '@continuity/kernel/json';
import { findScopeKey } from '../scopes/index.ts';

/** Message of the 409 for a key that was used with another body. */
export const usedKeyMessage = 'The Idempotency-Key was used with another body. Use a new key for a new body.';

/** Writes an effect in a transaction. */
type Write<Response> = (
  transaction: PrismaTransaction,
) => Promise<{ scopeKey: ScopeKey; response: Response }>;

/** A create that may carry the request header `Idempotency-Key` (spec 10 §1.8). */
interface IdempotentWrite<Response extends JsonObject> {
  tenantId: TenantId;
  scopeId: string;
  operation: string;
  key: string | undefined;
  /** Canonical JSON of the request body with its defaults filled in. */
  canonicalBody: string;
  /** The error code for a key that was used with another body. */
  conflict: 'source_conflict' | 'artifact_conflict' | 'candidate_conflict';
  /** Returns the write. Runs before the transaction, so that slow work holds no lock. Not called for a repeat. */
  prepare: () => Promise<Write<Response>>;
}

/**
 * Runs a write once for each idempotency key, and returns the first response to every repeat. Throws 409 for a key that was
 * used with another body.
 */
export async function writeOnce<Response extends JsonObject>(
  database: Database,
  request: IdempotentWrite<Response>,
): Promise<Response> {
  const { tenantId, operation, key, canonicalBody, prepare } = request;
  if (key === undefined) {
    const write = await prepare();
    return database.prismaTransaction(async (transaction) => (await write(transaction)).response);
  }
  const bodyDigest = hashBytes(canonicalBody);
  const stored = await findResponse(database, request, key, bodyDigest);
  if (stored !== undefined) return stored;
  const write = await prepare();
  try {
    return await database.prismaTransaction(async (transaction) => {
      const { scopeKey, response } = await write(transaction);
      await transaction.prisma.idempotencyKey.create({
        data: { tenantId, scopeKey, operation, key, bodyDigest, response },
        select: { key: true },
      });
      return response;
    });
  } catch (error) {
    // A concurrent equal request may have committed first. Then the key is taken, or the write itself fails: the Handoff of the
    // Scope already exists.
    const first = await findResponse(database, request, key, bodyDigest);
    if (first === undefined) throw error;
    return first;
  }
}

async function findResponse<Response extends JsonObject>(
  { sql, prisma }: Database,
  { tenantId, scopeId, operation, conflict }: IdempotentWrite<Response>,
  key: string,
  bodyDigest: Buffer,
): Promise<Response | undefined> {
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) return undefined;
  const stored = await prisma.idempotencyKey.findUnique({
    where: { tenantId_scopeKey_operation_key: { tenantId, scopeKey, operation, key } },
    select: { bodyDigest: true, response: true },
  });
  if (stored === null) return undefined;
  if (stored.bodyDigest.equals(bodyDigest)) return stored.response as Response;
  throw serviceError(conflict, {
    message: usedKeyMessage,
    details: { reason: 'idempotency_key' },
  });
}
