import type { PackageSummary } from '@continuity/contract/skills';
import type { TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { TimeLimitError } from '@continuity/kernel/process';
import { asBuffer, PoolBusyError, ThreadPool } from '@continuity/kernel/threads';
import { readArchive, readSkillFile, type SkillFields, summarizePackage } from '@continuity/skill-packages';
import type {
  PackageTask,
  PackageTaskResult,
  packageThread,
  RefusedPackage,
  UploadedPackage,
} from './package-thread.ts';

/** An upload of 5 MiB takes about 50 ms; the slowest front matter that fits takes about a second. */
const defaultLimitMs = 5_000;

/** Heap limit of each thread. The bytes of archives are beside it, and bounded by those of one upload. */
const heapMb = 256;

const maxWaiting = 256;
const maxWaitMs = 5_000;

/** Limit of what all tasks that wait or run hold, in bytes. */
const maxPending = 64 * 1024 * 1024;

/** Longest `SKILL.md` or archive that is read on the event loop, in bytes: the slowest one takes about 20 ms. */
const maxInline = 4_096;

/** Opens uploaded packages in threads of their own, with bounded time and memory, so that a hostile one never blocks the event loop. */
export class PackageThreads {
  readonly #limitMs: number;
  readonly #pool: ThreadPool<typeof packageThread>;
  #pending = 0;

  /** `limitMs` is the time limit of one task, in milliseconds. */
  constructor({ limitMs = defaultLimitMs }: { limitMs?: number } = {}) {
    this.#limitMs = limitMs;
    this.#pool = new ThreadPool({
      module: new URL('./package-thread.ts', import.meta.url),
      heapMb,
      limitMs,
      maxWaiting,
      maxWaitMs,
    });
  }

  /**
   * Opens an uploaded archive (spec 40 §5). Throws 422 with `package_error` at `archive_base64`, and 503 `runtime_not_ready` if too many
   * packages wait.
   */
  async open(tenantId: TenantId, archiveBase64: string): Promise<UploadedPackage> {
    const result = await this.#run(tenantId, { kind: 'open', archiveBase64 }, archiveBase64.length).catch(
      (error: unknown): PackageTaskResult => {
        if (error instanceof TimeLimitError) return { kind: 'refused', refused: tooSlow(this.#limitMs) };
        throw error;
      },
    );
    if (result.kind === 'refused') throw packageRefused('archive_base64', result.refused);
    if (result.kind !== 'opened') throw new Error('A thread answered another task.');
    return { ...result.opened, archive: asBuffer(result.opened.archive) };
  }

  /** Reads the fields of a stored `SKILL.md`. Throws if it is invalid, and 503 `runtime_not_ready` if no thread reads it in time. */
  async readFields(tenantId: TenantId, skillFile: Buffer): Promise<SkillFields> {
    if (skillFile.length <= maxInline) return readSkillFile(skillFile);
    // A copy: the file is a view of its whole archive.
    const task = { kind: 'read', skillFile: Uint8Array.from(skillFile) } as const;
    const result = await this.#runStored(tenantId, task, skillFile.length);
    if (result.kind !== 'read') throw new Error('A stored SKILL.md is not valid.');
    return result.fields;
  }

  /** Summarizes a stored package. Throws if it is damaged, and 503 `runtime_not_ready` if no thread reads it in time. */
  async summarize(tenantId: TenantId, archive: Buffer): Promise<PackageSummary> {
    if (archive.length <= maxInline) return summarizePackage(readArchive(archive));
    const task = { kind: 'summarize', archive: Uint8Array.from(archive) } as const;
    const result = await this.#runStored(tenantId, task, archive.length);
    if (result.kind !== 'summarized') throw new Error('A stored package is not valid.');
    return result.summary;
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #runStored(tenantId: TenantId, task: PackageTask, size: number): Promise<PackageTaskResult> {
    try {
      return await this.#run(tenantId, task, size);
    } catch (error) {
      // The service has read these bytes before, so the machine is too busy.
      throw error instanceof TimeLimitError ? busyError(error) : error;
    }
  }

  async #run(tenantId: TenantId, task: PackageTask, size: number): Promise<PackageTaskResult> {
    if (this.#pending + size > maxPending) throw busyError();
    this.#pending += size;
    try {
      return await this.#pool.run(tenantId, task);
    } catch (error) {
      if (error instanceof PoolBusyError) throw busyError(error);
      throw error;
    } finally {
      this.#pending -= size;
    }
  }
}

function tooSlow(limitMs: number): RefusedPackage {
  const message = `takes over ${limitMs} ms to read`;
  return { reason: 'invalid_entrypoint', message, entry: 'SKILL.md', field: null, line: null, column: null };
}

/** The 422 for a refused package (spec 40 §5.2). `path` names the field of the request. */
export function packageRefused(
  path: string,
  { reason, message, entry, field, line, column }: RefusedPackage,
): ServiceError {
  return serviceError('invalid_request', {
    message: `${path}: ${message}`,
    details: { issues: [{ path, message }], package_error: { reason, entry, field, line, column } },
  });
}

function busyError(cause?: PoolBusyError | TimeLimitError): ServiceError {
  const message = 'The gateway is too busy to read packages. Retry after the time in Retry-After.';
  return serviceError('runtime_not_ready', { message, cause });
}
