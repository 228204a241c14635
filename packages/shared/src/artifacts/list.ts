import type { ArtifactItem, ArtifactPage } from '@continuity/contract/artifacts';
import type { Queries } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { presentItem } from './present.ts';
import { readDigest } from './read.ts';
import { type FamilyAddress, findHeads } from './store.ts';

interface ArtifactList {
  address: FamilyAddress;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Reads one page of the heads of a Family, ascending by id (spec 10 §6.4). The next page begins after the last id, so that
 * Artifacts created meanwhile neither repeat nor hide one. Throws 400 `invalid_cursor` and 410 `cursor_expired`.
 */
export async function listArtifacts(
  queries: Queries,
  cursors: CursorCodec,
  clock: Clock,
  { address, limit, cursor }: ArtifactList,
): Promise<ArtifactPage> {
  const { tenantId, scopeId, family } = address;
  const binding = { tenantId, operation: 'list_artifacts', query: [scopeId, family] };
  const after = cursor === undefined ? '' : cursors.decodeExpiring(binding, cursor, z.string(), clock.now());
  const heads = await findHeads(queries, address, after, limit + 1);
  const items: ArtifactItem[] = [];
  // One at a time: the first read of a Memory revision computes its digest from the whole manifest.
  for (const head of heads.slice(0, limit)) {
    items.push(presentItem(head, head, await readDigest(queries, head)));
  }
  const last = heads.length > limit ? items.at(-1) : undefined;
  const next = last && cursors.encodeExpiring(binding, last.artifact_id, clock.now());
  return { items, next_cursor: next ?? null };
}
