import type { Database } from '@continuity/shared/kernel';
import { memoryHandlers } from '@continuity/shared/memory';
import type { Services } from '@continuity/shared/operations';
import type { Entry } from '../data/texts.ts';
import { recordTrips } from './record.ts';
import type { Trips } from './transaction.ts';

/** A Scope's Memory as its next writer finds it. */
export interface ScopeHead {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
  artifactKey: number;
  headRevision: number;
}

/** What the service sends for one plain remember. Takes the next revision of `head`. */
export async function recordRemember(head: ScopeHead, entry: Entry): Promise<Trips> {
  const { tenantId, scopeId } = head;
  const lock = { scope_key: head.scopeKey, artifact_key: head.artifactKey, head_revision: head.headRevision };
  const trips = await recordTrips(
    ({ name }) => (name === 'lock_memory_head' ? [lock] : []),
    (database) =>
      memoryHandlers.remember_memory(servicesOf(database), callerOf(tenantId), {
        params: undefined,
        query: undefined,
        headers: undefined,
        body: { scope_id: scopeId, ...entry },
      }),
  );
  head.headRevision += 1;
  return trips;
}

/** Handlers of direct operations use nothing but the database. */
export function servicesOf(database: Pick<Database, 'sql' | 'transaction'>): Services {
  return { database, flushDelay: null } as unknown as Services;
}

export function callerOf(tenantId: number) {
  return { tenantId, signal: new AbortController().signal, respondAsync: false };
}
