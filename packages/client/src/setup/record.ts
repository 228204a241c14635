import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../local/user-state.ts';
import type { UserFolders } from './plugin-files.ts';
import type { EntryRecord } from './settings-entry.ts';

/** What `setup` has written for one host. */
export interface HostRecord {
  version: string;
  /** Digests of the files by their absolute paths. */
  files: Record<string, string>;
  /** The entry in the settings of a desktop program. */
  entry?: EntryRecord;
}

/** What `setup` has written, so that it takes back that alone (spec 70 §4.5). */
export class SetupRecord {
  readonly #folder: string;
  readonly #hosts: Record<string, HostRecord>;

  constructor({ data }: UserFolders) {
    this.#folder = data;
    this.#hosts = readHosts(join(data, 'installed.json'));
  }

  of(host: string): HostRecord | undefined {
    return this.#hosts[host];
  }

  /** Digest of a file as `setup` wrote it; undefined for a file of somebody else. */
  digestOf(path: string): string | undefined {
    for (const { files } of Object.values(this.#hosts)) if (files[path] !== undefined) return files[path];
    return undefined;
  }

  set(host: string, record: HostRecord | undefined): void {
    if (record === undefined) delete this.#hosts[host];
    else this.#hosts[host] = record;
    writeWhole(this.#folder, 'installed.json', `${JSON.stringify(this.#hosts, null, 2)}\n`);
  }
}

function readHosts(path: string): Record<string, HostRecord> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, HostRecord>;
  } catch {
    return {};
  }
}
