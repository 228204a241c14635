import type { AgentKind } from '@continuity/contract/skill-format';
import type { TenantId } from '@continuity/kernel/database';
import { TimeLimitError } from '@continuity/kernel/process';
import { asBuffer, ThreadEndedError, ThreadPool } from '@continuity/kernel/threads';
import type { RefusedPackage } from '../../skills/index.ts';
import type {
  DescribedSkill,
  PackageBytes,
  ReadResult,
  ReadTask,
  readThread,
  SkillDirectory,
} from './read-thread.ts';
import { faultOf, type ListedRoot, type ReadFault } from './read-tree.ts';

/** Time limit of one task. A package of 4 MiB takes about 20 ms from a local disk, the slowest front matter about 1 s. */
const limitMs = 30_000;

/** Heap limit of each thread, in MB. Packages are outside of the heap. */
const heapMb = 256;

/** Tasks of one tenant that run at a time. */
const tasksPerTenant = 2;

/** The result of reading a package, or why it is unreadable. */
type Read<Result> = Result | { unreadable: ReadFault };

/** A package that was copied, or why it may not be imported. */
type Captured =
  | { fingerprint: string; package: PackageBytes }
  | { fingerprint: string; refused: RefusedPackage };

/** Reads the packages of this host in threads, with limits of time and memory. Tenants take turns. */
export class SkillReaders {
  readonly #pool = new ThreadPool<typeof readThread>({
    module: new URL('./read-thread.ts', import.meta.url),
    heapMb,
    limitMs,
  });
  #tasks = 0;

  /** The directories below a root, whose path has no links. A root that cannot be read has none. */
  async list(tenantId: TenantId, root: string): Promise<ListedRoot> {
    const result = await this.#run(tenantId, { kind: 'list', root });
    return result.kind === 'listed' ? result.listed : { names: [], unreadable: 0 };
  }

  /** Reads the fields of a registration from a package. */
  async describe(
    tenantId: TenantId,
    directory: SkillDirectory,
    agentKind: AgentKind,
  ): Promise<Read<DescribedSkill>> {
    const result = await this.#run(tenantId, { kind: 'describe', directory, agentKind });
    return result.kind === 'described' ? result.described : unreadable(result);
  }

  /** Computes the fingerprint of a directory; null if it is unreadable. */
  async fingerprint(tenantId: TenantId, directory: SkillDirectory): Promise<string | null> {
    const result = await this.#run(tenantId, { kind: 'fingerprint', directory });
    return result.kind === 'fingerprint' ? result.fingerprint : null;
  }

  /** Copies a package into memory, and checks the rules of uploaded packages. */
  async capture(tenantId: TenantId, directory: SkillDirectory): Promise<Read<Captured>> {
    const result = await this.#run(tenantId, { kind: 'capture', directory });
    if (result.kind === 'captured')
      return { fingerprint: result.fingerprint, package: asBuffers(result.package) };
    if (result.kind === 'refused' && result.fingerprint !== null) {
      return { fingerprint: result.fingerprint, refused: result.refused };
    }
    return unreadable(result);
  }

  /** Returns the package under another name, or why that breaks a bound. */
  async rename(tenantId: TenantId, archive: Buffer, name: string): Promise<PackageBytes | RefusedPackage> {
    const result = await this.#run(tenantId, { kind: 'rename', archive: Uint8Array.from(archive), name });
    if (result.kind === 'renamed') return asBuffers(result.package);
    if (result.kind === 'refused') return result.refused;
    throw new Error('A package could not be renamed.');
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** A package over the limits of time or memory is unreadable. */
  async #run(tenantId: TenantId, task: ReadTask): Promise<ReadResult> {
    try {
      this.#tasks += 1;
      return await this.#pool.run(tenantId * tasksPerTenant + (this.#tasks % tasksPerTenant), task);
    } catch (error) {
      if (error instanceof TimeLimitError)
        return { kind: 'unreadable', ...faultOf('takes too long to read') };
      if (error instanceof ThreadEndedError) return { kind: 'unreadable', ...faultOf('ended its reader') };
      throw error;
    }
  }
}

function unreadable(result: ReadResult): { unreadable: ReadFault } {
  if (result.kind !== 'unreadable') return { unreadable: faultOf('cannot be read') };
  const { message, line, column } = result;
  return { unreadable: { message, line, column } };
}

function asBuffers({ archive, ...rest }: PackageBytes): PackageBytes {
  return { ...rest, archive: asBuffer(archive) };
}
