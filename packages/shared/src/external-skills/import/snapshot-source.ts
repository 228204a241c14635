import type { ExternalSkillRegistration, ImportMode } from '@continuity/contract/external-skills';
import type { SkillPackageRef } from '@continuity/contract/skills';
import type { PrismaTransaction, TenantId } from '@continuity/kernel/database';
import { hashHex } from '@continuity/kernel/json';
import { appendSource, serviceSource } from '../../sources/index.ts';

export const snapshotSourceType = 'external-skill-snapshot';

interface Snapshot {
  registration: ExternalSkillRegistration;
  package: SkillPackageRef;
  mode: ImportMode;
}

/** The id of the Source of a snapshot: equal for equal packages of one place and mode (spec 40 §7.4). */
export function snapshotSourceId({ registration, mode }: Omit<Snapshot, 'package'>): string {
  const { provider, agent_kind, host_id, external_skill_id, fingerprint } = registration;
  const named = [provider, agent_kind, host_id, external_skill_id, fingerprint, mode].join('\0');
  return `ext_skill_${hashHex(named)}`;
}

/** Captures the Source of a snapshot, once for each id and Scope. */
export async function appendSnapshot(
  { sql }: PrismaTransaction,
  place: { tenantId: TenantId; scopeId: string },
  { registration, package: ref, mode }: Snapshot,
): Promise<void> {
  const sourceId = snapshotSourceId({ registration, mode });
  const fields = { schema: 'service.external-skill-snapshot.v1', registration, package: ref, mode };
  await appendSource(sql, serviceSource(place, snapshotSourceType, sourceId, fields), null);
}
