import { availableParallelism } from 'node:os';
import { type ServiceError, serviceError, type TenantId, TimeLimitError } from '@continuity/shared/kernel';
import { PoolBusyError, ThreadPool } from '@continuity/shared/kernel/threads';
import { type CorpusId, type Projection, projectText } from '../../search/index.ts';
import type { RefusedPackage, SkillTask, SkillTaskResult, UploadedPackage } from './tasks.ts';

/** Time limit of one task. An upload of 5 MiB takes about 50 ms; the slowest front matter that fits takes about a second. */
const limitMs = 5_000;

/** Heap limit of each thread. The bytes of archives are beside it, and bounded by those of one upload. */
const heapMb = 256;

/** At least two threads: one for tenants with slow packages, one for the others. */
const threads = Math.max(2, Math.min(4, availableParallelism()));

const maxWaiting = 256;
const maxWaitMs = 5_000;

/** Limit of the text of all tasks that wait or run, in UTF-16 units. */
const maxPending = 64 * 1024 * 1024;

/** Analyzing so much text takes about 5 ms. A thread is for longer texts. */
const maxInlineText = 16_384;

/**
 * Opens uploaded packages and analyzes the texts of Skills in threads of their own, with bounded time and memory, so that neither
 * blocks the event loop.
 */
export class SkillThreads {
  readonly #pool = new ThreadPool<SkillTask, SkillTaskResult>({
    module: new URL('./skill-thread.ts', import.meta.url),
    size: threads,
    heapMb,
    limitMs,
    maxWaiting,
    maxWaitMs,
  });
  #pending = 0;

  /**
   * Opens an uploaded archive (spec 40 §5). Throws 422 with `package_error` at `archive_base64`, and 503 `runtime_not_ready` if too many
   * packages wait.
   */
  async open(tenantId: TenantId, archiveBase64: string): Promise<UploadedPackage> {
    const result = await this.#run(tenantId, { kind: 'open', archiveBase64 }, archiveBase64.length).catch(
      (error: unknown) => {
        if (error instanceof TimeLimitError) throw packageRefused('archive_base64', tooSlow);
        throw error;
      },
    );
    if (result.kind === 'refused') throw packageRefused('archive_base64', result.refused);
    if (result.kind !== 'opened') throw new Error('A Skill thread answered another task.');
    const { archive } = result.opened;
    return { ...result.opened, archive: Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength) };
  }

  /** As `projectText`, in a thread for a long text. Throws 503 `runtime_not_ready` if too many texts wait. */
  async project(corpus: CorpusId, text: string): Promise<Projection> {
    if (text.length <= maxInlineText) return projectText(corpus, text);
    const result = await this.#run(corpus.tenantId, { kind: 'project', corpus, text }, text.length);
    if (result.kind !== 'projected') throw new Error('A Skill thread answered another task.');
    return result.projection;
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(tenantId: TenantId, task: SkillTask, size: number): Promise<SkillTaskResult> {
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

const tooSlow: RefusedPackage = {
  reason: 'invalid_entrypoint',
  message: `takes over ${limitMs} ms to read`,
  entry: 'SKILL.md',
  field: null,
};

/** The 422 for a refused package (spec 40 §5.2). `path` names the field of the request. */
export function packageRefused(
  path: string,
  { reason, message, entry, field }: RefusedPackage,
): ServiceError {
  return serviceError('invalid_request', {
    message: `${path}: ${message}`,
    details: { issues: [{ path, message }], package_error: { reason, entry, field } },
  });
}

function busyError(cause?: PoolBusyError): ServiceError {
  const message = 'Too many packages are waiting. Retry after the time in Retry-After.';
  return serviceError('runtime_not_ready', { message, cause });
}
