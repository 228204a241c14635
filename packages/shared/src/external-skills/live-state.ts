import type {
  ExternalSkillRegistration,
  ExternalSkillResolution,
} from '@continuity/contract/external-skills';
import type { TenantId } from '@continuity/kernel/database';
import { entrypoint } from '@continuity/skill-packages';
import { locate, type OpenRoot } from './open-roots.ts';
import type { SkillReaders } from './threads/skill-readers.ts';
import type { SkillDirectory } from './threads/tasks.ts';

/** The resolution of a registration whose package has changed or is missing. */
export function unavailable(registration: ExternalSkillRegistration): ExternalSkillResolution {
  return { registration, status: 'unavailable', entrypoint: null };
}

/** The directory of a registration; null if no configured folder contains its locator. */
export function directoryOf(
  roots: readonly OpenRoot[],
  { external_skill_id, locator }: ExternalSkillRegistration,
): SkillDirectory | null {
  const directory = locate(roots, external_skill_id);
  return directory?.path === locator ? directory : null;
}

/** Compares a registration with the files on disk. */
export async function resolveLive(
  readers: SkillReaders,
  tenantId: TenantId,
  roots: readonly OpenRoot[],
  registration: ExternalSkillRegistration,
): Promise<ExternalSkillResolution> {
  const directory = directoryOf(roots, registration);
  const live = directory && (await readers.fingerprint(tenantId, directory));
  if (directory === null || live !== registration.fingerprint) return unavailable(registration);
  return { registration, status: 'available', entrypoint: `${directory.path}/${entrypoint}` };
}
