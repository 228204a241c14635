import type { JobPayload } from '@continuity/contract';
import type { ExternalSkillRegistration, ImportMode } from '@continuity/contract/external-skills';
import type { SkillPackageRef } from '@continuity/contract/skills';
import type { PrismaTransaction, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { digestBytes, hashHex } from '@continuity/kernel/json';
import { readArchive, type SkillPackage } from '@continuity/skill-packages';
import type { GeneratorIdentity } from '../../generation/index.ts';
import type { ClaimedJob } from '../../jobs/index.ts';
import { packageRefused } from '../../skills/index.ts';
import { appendSource, serviceSource } from '../../sources/index.ts';
import type { ReadSkillsDeps } from '../deps.ts';
import { requireRegistered } from '../list.ts';
import { directoryOf, openRoots, resolveLive } from '../open-roots.ts';
import type { PackageBytes } from '../threads/read-thread.ts';

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

/** The fields that make two imports the same work. The reason is not one of them. */
interface ImportWork {
  tenantId: TenantId;
  scopeId: string;
  hostId: string;
  externalSkillId: string;
  fingerprint: string;
  mode: ImportMode;
  /** The generator of a fork; null for an exact import, which needs none. */
  generator: GeneratorIdentity | null;
}

/** The key of an import, a SHA-256: requests of one key are the same work (spec 40 §2.1). */
export function importKeyOf({ tenantId, scopeId, hostId, externalSkillId, ...work }: ImportWork): Buffer {
  const place = { tenant: tenantId, scope: scopeId, host: hostId };
  const key = { operation: 'import_external_skill', ...place, external_skill: externalSkillId, ...work };
  return digestBytes(key);
}

type Payload = JobPayload<'import_external_skill'>;

/** A copy of a package, with the registration that it was compared with. */
export interface CapturedSkill {
  registration: ExternalSkillRegistration;
  snapshot: SkillPackage;
}

/**
 * Copies a package into memory, then compares registration and directory once more (spec 40 §7.4). Throws 409
 * `external_skill_snapshot_unavailable` unless all have the fingerprint of the request. Throws 422 with `package_error` for a package
 * that breaks a rule.
 */
export async function captureSkill(
  deps: ReadSkillsDeps,
  { tenantId }: Pick<ClaimedJob, 'tenantId'>,
  payload: Payload,
): Promise<CapturedSkill> {
  const { database, hosts, readers } = deps;
  const { scope_id: scopeId, host_id: hostId, external_skill_id: externalSkillId, fingerprint } = payload;
  const address = { tenantId, scopeId, hostId, externalSkillId };
  const registration = requireVersion(await requireRegistered(database, address), fingerprint);
  const roots = await openRoots(hosts, tenantId, hostId);
  const directory = directoryOf(roots, registration);
  const captured = directory && (await readers.capture(tenantId, directory));
  if (captured === null || 'unreadable' in captured) throw snapshotUnavailable(fingerprint, null);
  if (captured.fingerprint !== fingerprint) throw snapshotUnavailable(fingerprint, captured.fingerprint);
  requireVersion(await requireRegistered(database, address), fingerprint);
  const { status } = await resolveLive(readers, tenantId, roots, registration);
  if (status === 'unavailable') throw snapshotUnavailable(fingerprint, null);
  if ('refused' in captured) throw importRefused(captured.refused);
  return { registration, snapshot: withFiles(captured.package) };
}

/** The registration of the host, with this fingerprint. Throws 409 `external_skill_snapshot_unavailable`. */
export function requireVersion(
  { own }: { own: ExternalSkillRegistration | undefined },
  fingerprint: string,
): ExternalSkillRegistration {
  if (own?.fingerprint === fingerprint) return own;
  throw snapshotUnavailable(fingerprint, own?.fingerprint ?? null);
}

/** The 422 for a package that may not be imported. */
export function importRefused(refused: Parameters<typeof packageRefused>[1]): ServiceError {
  return packageRefused('external_skill_id', refused);
}

/** A package with views of its archive. */
export function withFiles(bytes: PackageBytes): SkillPackage {
  return { ...bytes, files: readArchive(bytes.archive) };
}

function snapshotUnavailable(expected: string, current: string | null): ServiceError {
  const details = { expected_fingerprint: expected, current_fingerprint: current };
  return serviceError('external_skill_snapshot_unavailable', { details });
}
