import type { ArtifactKey, ScopeKey, TenantId } from '@continuity/kernel/database';
import { remember, requireEntry } from '@continuity/shared/memory';
import type { Entry } from '../data/texts.ts';
import { recordRoundTrips } from './record-statements.ts';
import type { RoundTrips } from './round-trips.ts';

/** The head of a Scope's Memory. */
export interface ScopeHead {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
  artifactKey: ArtifactKey;
  headRevision: number;
}

/** Records the statements of one remember. Increments the revision of `head`. */
export async function recordRemember(head: ScopeHead, entry: Entry): Promise<RoundTrips> {
  const { tenantId, scopeId } = head;
  const lock = { scope_key: head.scopeKey, artifact_key: head.artifactKey, head_revision: head.headRevision };
  const roundTrips = await recordRoundTrips(
    ({ name }) => (name === 'lock_memory_head' ? [lock] : []),
    (database) => remember(database, { tenantId, scopeId, ...requireEntry(entry), expectedRevision: null }),
  );
  head.headRevision += 1;
  return roundTrips;
}
