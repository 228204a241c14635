import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { maxLocator } from '@continuity/contract/external-skills';
import { codePointLength } from '@continuity/contract/text';
import type { TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { SkillRoot } from './hosts-file.ts';
import type { TenantHosts } from './tenant-hosts.ts';
import type { SkillDirectory } from './threads/tasks.ts';

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
