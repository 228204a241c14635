import {
  type ExternalSkillRegistration,
  type ExternalSkillScan,
  maxRegistrations,
  maxSkippedItems,
  maxSkippedMessage,
} from '@continuity/contract/external-skills';
import type { TenantId } from '@continuity/kernel/database';
import { commitFinishedJob, type JobContext, type JobHandler } from '../jobs/index.ts';
import { ensureScope, findScopeKey } from '../scopes/index.ts';
import type { ReadSkillsDeps } from './deps.ts';
import { type IdentifiedDirectory, identify, type OpenRoot, openRoots } from './open-roots.ts';
import { replaceRegistrations } from './registrations.ts';
import { faultOf, type ReadFault } from './threads/read-tree.ts';

/** Packages that are queued for the threads at a time, so that no thread is idle. */
const atATime = 16;

/** The handler of `scan_external_skills` (spec 40 §7.1): reads the folders, then replaces the registrations in one transaction. */
export function runScanExternalSkills(deps: ReadSkillsDeps): JobHandler<'scan_external_skills'> {
  return async (job, { scope_id: scopeId, host_id: hostId }, context) => {
    const { tenantId } = job;
    const scan = await scanHost(deps, tenantId, hostId, context);
    await deps.database.prismaTransaction(async ({ prisma, sql }) => {
      const scopeKey =
        scan.registrations.length > 0
          ? await ensureScope(sql, tenantId, scopeId)
          : await findScopeKey(sql, tenantId, scopeId);
      if (scopeKey !== undefined) {
        await replaceRegistrations({ prisma }, { tenantId, scopeKey }, hostId, scan.registrations);
      }
      await commitFinishedJob(sql, job, scan);
    });
  };
}

async function scanHost(
  deps: ReadSkillsDeps,
  tenantId: TenantId,
  hostId: string,
  { signal, progress }: JobContext,
): Promise<ExternalSkillScan> {
  const scan = new Scan(deps, tenantId, hostId);
  const directories = await scan.list(await openRoots(deps.hosts, tenantId, hostId));
  for (let at = 0; at < directories.length; at += atATime) {
    signal.throwIfAborted();
    await progress(at / directories.length);
    await scan.add(directories.slice(at, at + atATime));
  }
  const { registrations, skipped, skippedItems } = scan;
  return { registrations, skipped, skipped_items: skippedItems };
}

/** A directory of a root by its name. */
interface NamedDirectory {
  open: OpenRoot;
  name: string;
}

class Scan {
  readonly registrations: ExternalSkillRegistration[] = [];
  skipped = 0;
  readonly skippedItems: ExternalSkillScan['skipped_items'] = [];
  readonly #deps: ReadSkillsDeps;
  readonly #tenantId: TenantId;
  readonly #hostId: string;

  constructor(deps: ReadSkillsDeps, tenantId: TenantId, hostId: string) {
    this.#deps = deps;
    this.#tenantId = tenantId;
    this.#hostId = hostId;
  }

  /** The directories of each root in byte order. A missing root has none. */
  async list(roots: readonly OpenRoot[]): Promise<NamedDirectory[]> {
    const directories: NamedDirectory[] = [];
    for (const open of roots) {
      if (open.path === null) continue;
      const { names, unreadable } = await this.#deps.readers.list(this.#tenantId, open.path);
      for (let count = 0; count < unreadable; count += 1)
        this.#skip(open, '\uFFFD', faultOf('has a name that is not UTF-8'));
      for (const name of names) directories.push({ open, name });
    }
    return directories;
  }

  /** Reads the packages of directories. */
  async add(directories: readonly NamedDirectory[]): Promise<void> {
    const isFull = this.registrations.length >= maxRegistrations;
    const read = await Promise.all(
      directories.map(async ({ open, name }) => {
        const directory = isFull ? null : identify(open, name);
        const registration = directory && (await this.#describe(open, directory));
        return { open, name, registration };
      }),
    );
    for (const { open, name, registration } of read) {
      if (this.registrations.length >= maxRegistrations)
        this.#skip(open, name, faultOf(`comes after ${maxRegistrations} Skills`));
      else if (registration === null)
        this.#skip(open, name, faultOf('has a name or path that no Skill can be registered with'));
      else if ('unreadable' in registration) this.#skip(open, name, registration.unreadable);
      else this.registrations.push(registration);
    }
  }

  async #describe(
    { root }: OpenRoot,
    directory: IdentifiedDirectory,
  ): Promise<ExternalSkillRegistration | { unreadable: ReadFault }> {
    const { agent_kind, installation_scope } = root;
    const described = await this.#deps.readers.describe(this.#tenantId, directory, agent_kind);
    if ('unreadable' in described) return described;
    return {
      external_skill_id: directory.externalSkillId,
      provider: agent_kind,
      agent_kind,
      host_id: this.#hostId,
      installation_scope,
      locator: directory.path,
      ...described,
    };
  }

  /** Counts a directory that is no Skill. Lists and logs why, for the first ones. */
  #skip({ path }: OpenRoot, name: string, { message, line, column }: ReadFault): void {
    this.skipped += 1;
    if (this.skippedItems.length >= maxSkippedItems) return;
    this.skippedItems.push({
      name,
      message: [...message].slice(0, maxSkippedMessage).join(''),
      line,
      column,
    });
    const skipped = { tenant: this.#tenantId, directory: `${path}/${name}`, reason: message };
    this.#deps.logger.info(skipped, 'a scan skipped a directory');
  }
}
