import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExternalSkillRegistration, ImportMode } from '@continuity/contract/external-skills';
import { type Client, temporaryDirectory } from '@continuity/testing';

/** Contents by path. */
export type SkillFiles = Record<string, string | Buffer>;

/** The `SKILL.md` of a Skill. */
export const skillText = (name: string, body = 'Do it.'): string =>
  `---\nname: ${name}\ndescription: Use for ${name}.\n---\n\n${body}\n`;

/** The package of the examples in spec 40 §6 and §7. */
export const releaseCheck: SkillFiles = {
  'SKILL.md':
    '---\nname: release-check\ndescription: Verify a release before it is published.\nlicense: Apache-2.0\n---\n\nRun scripts/verify.sh and read its report.\n',
  'scripts/verify.sh': '#!/bin/sh\nexit 0\n',
};

/** Writes a package below a root. Shell scripts are executable. Returns its directory. */
export async function writeSkill(
  root: string,
  name: string,
  files: SkillFiles = { 'SKILL.md': skillText(name) },
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, name, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
    if (path.endsWith('.sh')) await chmod(place, 0o755);
  }
  return join(root, name);
}

/** A folder of packages, as `EXTERNAL_SKILLS_FILE` names it. */
export interface Root {
  path: string;
  tenant?: string;
  target_id?: string;
  agent_kind?: 'codex' | 'claude_code';
  installation_scope?: 'user' | 'project' | 'plugin';
}

/** Writes an `EXTERNAL_SKILLS_FILE` of hosts and their folders. Returns its path. */
export async function writeSkillHosts(hosts: Record<string, Root[]>): Promise<string> {
  const path = join(await temporaryDirectory('skill-hosts'), 'external-skills.json');
  const content = {
    hosts: Object.entries(hosts).map(([host_id, roots]) => ({
      host_id,
      roots: roots.map((root) => ({
        target_id: 'repository',
        agent_kind: 'codex',
        installation_scope: 'project',
        ...root,
      })),
    })),
  };
  await writeFile(path, JSON.stringify(content));
  return path;
}

type Named = Pick<ExternalSkillRegistration, 'external_skill_id' | 'fingerprint'>;
type OnHost = { host_id?: string };

/** Short calls of the operations on External Skills. */
export function externalSkillCalls(client: Client) {
  const version = ({ external_skill_id, fingerprint }: Named) => ({ external_skill_id, fingerprint });
  const calls = {
    scan: (scope_id: string, more: OnHost = {}) =>
      client.call('scan_external_skills', { body: { scope_id, ...more } }),
    list: (scope_id: string, more: OnHost & { include_unavailable?: boolean } = {}) =>
      client.call('list_external_skills', { body: { scope_id, ...more } }),
    /** Ids and statuses of a list, with `include_unavailable`. */
    statuses: async (scope_id: string, more: OnHost = {}) => {
      const { body } = await calls.list(scope_id, { include_unavailable: true, ...more });
      return body.skills.map(({ registration, status }) => [registration.external_skill_id, status]);
    },
    resolve: (scope_id: string, named: Named, more: OnHost = {}) =>
      client.call('resolve_external_skill', { body: { scope_id, ...version(named), ...more } }),
    import: (
      scope_id: string,
      named: Named,
      mode: ImportMode = 'import',
      more: OnHost & { reason?: string } = {},
    ) => client.call('import_external_skill', { body: { scope_id, ...version(named), mode, ...more } }),
  };
  return calls;
}

/** Writes packages below `root`, a folder of the tenant whose calls these are, and scans them. */
export function packagesBelow(root: string, calls: Pick<ReturnType<typeof externalSkillCalls>, 'scan'>) {
  /** Scans the folder. Returns the registration of the package `name`. */
  const scanOne = async (scope: string, name: string): Promise<ExternalSkillRegistration> => {
    const { registrations } = (await calls.scan(scope)).body;
    const found = registrations.find(({ locator }) => locator.endsWith(`/${name}`));
    if (found === undefined) throw new Error(`The scan did not find ${name}.`);
    return found;
  };
  /** Writes a package of its own, and scans. Returns its directory and registration. */
  const scanned = async (scope: string, name: string, files?: SkillFiles) => {
    const directory = await writeSkill(root, name, files);
    return { directory, registration: await scanOne(scope, name) };
  };
  return { scanOne, scanned };
}
