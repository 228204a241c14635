import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ExternalSkillRegistration,
  type ExternalSkillResolution,
  maxLocator,
} from '@continuity/contract/external-skills';
import { codePointLength } from '@continuity/contract/text';
import type { TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { entrypoint } from '@continuity/skill-packages';
import type { SkillRoot } from './hosts-file.ts';
import type { TenantHosts } from './tenant-hosts.ts';
import type { SkillDirectory } from './threads/read-thread.ts';
import type { SkillReaders } from './threads/skill-readers.ts';

/** A folder whose links are resolved, for one operation. */
export interface OpenRoot {
  root: SkillRoot;
  /** Null if there is no such folder. */
  path: string | null;
}

/**
 * Resolves the tenant's folders on this host, in the order of the file. Throws 503 `external_skill_registry_unavailable` if the file
 * names none, and an `Error` for a job of another host.
 */
export async function openRoots(hosts: TenantHosts, tenantId: TenantId, hostId: string): Promise<OpenRoot[]> {
  if (hostId !== hosts.ownHostId) throw new Error('This worker got a job of another host.');
  const roots = await hosts.rootsOf(tenantId, hostId);
  if (roots.length === 0) throw serviceError('external_skill_registry_unavailable');
  return await Promise.all(
    roots.map(async (root) => ({ root, path: await realpath(root.path).catch(() => null) })),
  );
}

const token = /^[\x21-\x7e]{1,128}$/;

/** A directory of a root, with the id and the locator of its registration. */
export interface IdentifiedDirectory extends SkillDirectory {
  externalSkillId: string;
}

/** The directory of a root by its name; null if its id or its path breaks the limits of a registration. */
export function identify({ root, path }: OpenRoot, name: string): IdentifiedDirectory | null {
  if (path === null) return null;
  const externalSkillId = `${prefixOf(root)}/${name}`;
  const place = join(path, name);
  const isRegistrable = token.test(externalSkillId) && codePointLength(place) <= maxLocator;
  return isRegistrable ? { externalSkillId, path: place, name } : null;
}

/** Finds the directory of an id in the configured folders; null if there is none. */
export function locate(roots: readonly OpenRoot[], externalSkillId: string): IdentifiedDirectory | null {
  const slash = externalSkillId.indexOf('/');
  const open = roots.find(({ root }) => prefixOf(root) === externalSkillId.slice(0, slash));
  return open === undefined ? null : identify(open, externalSkillId.slice(slash + 1));
}

function prefixOf({ agent_kind, installation_scope, target_id }: SkillRoot): string {
  return `${agent_kind}:${installation_scope}:${target_id}`;
}

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
