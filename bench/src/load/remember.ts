import { remember, requireEntry } from '@continuity/shared/memory';
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
    (database) => remember(database, { tenantId, scopeId, ...requireEntry(entry), expectedRevision: null }),
  );
  head.headRevision += 1;
  return trips;
}
