import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The cgroups of all pods, and of all containers of Podman. */
export const podsCgroup = 'continuity-cluster';
export const podmanCgroup = 'libpod_parent';

const hierarchies = '/sys/fs/cgroup';

/** Folders of the hierarchies of cgroups: one of version 2, or several of version 1. */
export function cgroupFolders(): string[] {
  const entries = readdirSync(hierarchies, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'cgroup.controllers')) return [hierarchies];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(hierarchies, name));
}
