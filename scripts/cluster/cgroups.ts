import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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

/** Creates a cgroup in all hierarchies. Its processes together get as much of a busy machine as eight processes. */
export function createCgroups(name: string): void {
  for (const parent of cgroupFolders()) {
    const path = join(parent, name);
    mkdirSync(path, { recursive: true });
    for (const [file, value] of Object.entries({ 'cpu.shares': 8 * 1_024, 'cpu.weight': 8 * 100 }))
      if (existsSync(join(path, file))) writeFileSync(join(path, file), String(value));
  }
}
