import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { onTestFinished } from 'vitest';
import { type EnrollOptions, enroll } from '../../src/receiver/enroll.ts';
import { syncOnce } from '../../src/receiver/run.ts';
import type { SyncReport } from '../../src/receiver/sync.ts';
import { FakeService } from './fake-service.ts';

export const agent = 'codex';

export interface Workspace {
  project: string;
  skills: string;
  sync(): Promise<SyncReport>;
}

/** Options to enroll a project at a service. */
export function enrollOptions(
  service: FakeService,
  project: string,
  changes: Partial<EnrollOptions> = {},
): EnrollOptions {
  return {
    project,
    agent,
    code: service.code,
    replaces: false,
    serverUrl: service.url,
    allowInsecureHttp: false,
    ...changes,
  };
}

/** A service and a project that is enrolled there, until the test ends. */
export async function startEnrolled(): Promise<{ service: FakeService; workspace: Workspace }> {
  const service = await startService();
  return { service, workspace: await enrolled(service) };
}

/** A service that runs until the test ends. */
export async function startService(): Promise<FakeService> {
  const service = await new FakeService().start();
  onTestFinished(() => service.stop());
  return service;
}

/** A project that is enrolled at a service. */
export async function enrolled(service: FakeService): Promise<Workspace> {
  const project = await temporaryDirectory('receiver');
  await enroll(enrollOptions(service, project));
  return {
    project,
    skills: join(project, '.agents/skills'),
    sync: () => syncOnce({ project, agent }, new AbortController().signal),
  };
}

/** Everything below a folder: links with their targets, files with mode and content. */
export async function treeOf(folder: string, prefix = ''): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of (await readdir(folder).catch(() => [])).toSorted()) {
    const path = join(folder, name);
    const status = await lstat(path);
    if (status.isDirectory()) {
      tree[`${prefix}${name}/`] = 'folder';
      Object.assign(tree, await treeOf(path, `${prefix}${name}/`));
    } else if (status.isSymbolicLink()) tree[prefix + name] = `link to ${await readlink(path)}`;
    else tree[prefix + name] = `${(status.mode & 0o777).toString(8)} ${await readFile(path, 'utf8')}`;
  }
  return tree;
}

/** Paths that a sync must not leave: staging, quarantine, journals, temporary files and locks. */
export async function leftovers(project: string): Promise<string[]> {
  const paths = Object.keys(await treeOf(project));
  return paths.filter((path) => /\.skill-receiver|journals\/.+|\.tmp$|\.lock/.test(path));
}
