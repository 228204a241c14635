import type { Database, Sql } from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { ensureScope } from '../scopes/index.ts';
import { type Appended, appendToSequence, type FlushDelay } from './append-statements.ts';
import type { NewSource } from './new-source.ts';
import { ensureSourceSequence } from './source-sequence.ts';

/** As `appendToSequence`, but creates a missing Scope or sequence. For use inside a transaction. */
export async function appendSource(sql: Sql, source: NewSource, delay: FlushDelay | null): Promise<Appended> {
  const appended = await appendToSequence(sql, source, delay);
  if (appended !== undefined) return appended;
  const scopeKey = await ensureScope(sql, source.tenantId, source.scopeId);
  await ensureSourceSequence(sql, source.tenantId, scopeKey);
  const second = await appendToSequence(sql, source, delay);
  if (second === undefined) throw new Error('The Source sequence of the Scope was created but not found.');
  return second;
}

/** As `appendSource`, in its own transaction; a single statement if the Scope has a sequence. */
export function appendAlone(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  source: NewSource,
  delay: FlushDelay | null,
): Promise<Appended> {
  return appendUnderId(
    async () =>
      (await appendToSequence(database.lockingSql, source, delay)) ??
      (await database.transaction((sql) => appendSource(sql, source, delay))),
  );
}

/** Runs `write`, and once more if a concurrent request has stored a Source with the same id. */
export async function appendUnderId<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'sources_identity')) throw error;
    return write();
  }
}
