import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { hostId, installationScope } from '@continuity/contract/external-skills';
import { slugPattern } from '@continuity/contract/skill-format';
import { agentKind } from '@continuity/contract/skills';
import { type Settings, SettingsError } from '@continuity/kernel/config';
import { z } from 'zod';
import { defaultTenant } from '../tenants/index.ts';

/** Whether PostgreSQL and file systems can store a text. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

const root = z.strictObject({
  /** Name of the tenant that the folder belongs to. */
  tenant: z.string().min(1).max(256).default(defaultTenant),
  target_id: z.string().max(64).regex(new RegExp(slugPattern)),
  agent_kind: agentKind,
  installation_scope: installationScope,
  path: z.string().min(1).max(1000).refine(isStorable),
});

const hostsFile = z.strictObject({
  hosts: z
    .array(z.strictObject({ host_id: hostId.refine(isStorable), roots: z.array(root).min(1).max(256) }))
    .min(1)
    .max(64),
});

/** A folder of packages. */
export type SkillRoot = z.output<typeof root>;

/** A machine, or a group of processes that see the same folders, with its folders. */
export interface SkillHost {
  host_id: string;
  roots: SkillRoot[];
}

/** The hosts of a deployment, and the one that this process runs on. */
export interface ConfiguredHosts {
  /** In the order of the file. Empty without a file. */
  hosts: SkillHost[];
  /** Null if the process runs on none of them, or if the settings do not say on which one. */
  ownHostId: string | null;
}

/** Reads `EXTERNAL_SKILLS_FILE` (spec 40 §7). Throws `SettingsError`. */
export async function loadSkillHosts({
  EXTERNAL_SKILLS_FILE: path,
  EXTERNAL_SKILLS_HOST_ID: ownHostId,
}: Pick<Settings, 'EXTERNAL_SKILLS_FILE' | 'EXTERNAL_SKILLS_HOST_ID'>): Promise<ConfiguredHosts> {
  if (path === undefined) return { hosts: [], ownHostId: null };
  const hosts = parseHosts(await readJson(path));
  const only = hosts.length === 1 ? hosts[0]?.host_id : undefined;
  if (ownHostId === undefined) return { hosts, ownHostId: only ?? null };
  if (hosts.some(({ host_id }) => host_id === ownHostId)) return { hosts, ownHostId };
  throw new SettingsError('EXTERNAL_SKILLS_HOST_ID is not a host_id of EXTERNAL_SKILLS_FILE.');
}

function parseHosts(json: unknown): SkillHost[] {
  const parsed = hostsFile.safeParse(json);
  if (!parsed.success) throw new SettingsError(shapeSentence(parsed.error));
  const { hosts } = parsed.data;
  const twice = findTwice(hosts.map(({ host_id }) => host_id));
  if (twice !== undefined) throw new SettingsError(`EXTERNAL_SKILLS_FILE has the host_id "${twice}" twice.`);
  for (const host of hosts) checkRoots(host);
  return hosts;
}

function checkRoots({ host_id, roots }: SkillHost): void {
  const relative = roots.find(({ path }) => !isAbsolute(path));
  if (relative !== undefined) {
    throw new SettingsError(
      `EXTERNAL_SKILLS_FILE has a path of the host "${host_id}" that is not absolute: "${relative.path}".`,
    );
  }
  for (const tenant of new Set(roots.map((one) => one.tenant))) {
    const twice = findTwice(roots.filter((one) => one.tenant === tenant).map(({ target_id }) => target_id));
    if (twice === undefined) continue;
    throw new SettingsError(
      `EXTERNAL_SKILLS_FILE has the target_id "${twice}" twice for the host "${host_id}" and the tenant "${tenant}".`,
    );
  }
}

function findTwice(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

function shapeSentence({ issues }: z.ZodError): string {
  const [first] = issues;
  const at = first === undefined || first.path.length === 0 ? '' : `, at ${first.path.join('.')}`;
  return `EXTERNAL_SKILLS_FILE must contain {"hosts":[{"host_id":"…","roots":[…]}]} with 1 to 64 hosts and 1 to 256 roots each${at}: ${first?.message ?? 'invalid'}.`;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new SettingsError('EXTERNAL_SKILLS_FILE is not a readable JSON file.');
  }
}
