import { randomUUID } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { Logger } from '@continuity/kernel/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Longer answers count until they are read. */
const maxUncounted = 256 * 1024;

/**
 * Size of the counted answers that stay in memory: 8 MiB of one tenant, so that no stalled caller holds more. A file doubles the
 * processor time of an answer of 400 KB.
 */
const maxInMemory = 16 * 1024 * 1024;

const filePrefix = 'continuity-answer-';

/** A file has a name only for milliseconds. A name of this age was left by a killed process. */
const abandonedMs = 60_000;

/**
 * Bounds the memory of long answers for callers who read slowly or not at all. While the unread answers of a tenant fill its share of
 * the memory, further ones are sent from temporary files. The files have no name. If no file can be written, the answer stays in
 * memory. An answer is 503 `runtime_not_ready` while the files of its tenant fill the share of the tenant in `maxBytes`.
 *
 * Measured with one caller that leaves 40 answers of 8 MB unread: a gateway of 155 MB grows to 489 MB, and to 813 MB without the files,
 * where each further answer adds its size. Answers of 400 KB, as in the wall `stalled readers`, need no file.
 */
export function spoolAnswers(app: FastifyInstance, logger: Logger, maxBytes: number): void {
  const inMemory = new UnreadAnswers(maxInMemory);
  const inFiles = new UnreadAnswers(maxBytes);
  app.addHook('onReady', async () => {
    await removeAbandoned().catch((error: unknown) =>
      logger.warn({ err: error }, 'temporary files of an earlier process cannot be removed'),
    );
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isShort =
      !(typeof payload === 'string' || Buffer.isBuffer(payload)) ||
      Buffer.byteLength(payload) <= maxUncounted;
    if (isShort || request.method === 'HEAD' || reply.raw.destroyed) return done(null, payload);
    spoolLong(request, reply, payload).then((sent) => done(null, sent), done);
  });

  async function spoolLong(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer) {
    const bytes = Buffer.byteLength(payload);
    const { raw } = reply;
    const { tenantId } = request;
    if (inMemory.hasRoom(tenantId, bytes)) {
      raw.once('close', inMemory.add(tenantId, bytes));
      return payload;
    }
    if (!inFiles.hasRoom(tenantId, bytes) && isSafeToRepeat(request)) throw refusal(reply);
    const forget = inFiles.add(tenantId, bytes);
    let stream: ReadStream | undefined;
    raw.once('close', () => {
      forget();
      stream?.destroy();
    });
    const file = await spool(payload).catch((error: unknown) =>
      logger.warn({ err: error }, 'a long answer stays in memory, because it cannot be written to a file'),
    );
    if (file === undefined) return payload;
    if (raw.destroyed) {
      await file.close();
      return payload;
    }
    reply.header('Content-Length', bytes);
    // Closes the file at its end, or when the caller hangs up.
    stream = file.createReadStream({ start: 0 });
    return stream;
  }
}

/** The answer to a write that must not be repeated is never refused: the write has been committed. */
function isSafeToRepeat({ routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  return operation?.isUnsafeToRepeat !== true && operation?.headers?.shape['idempotency-key'] === undefined;
}

/** The error in place of an answer, without the headers of the answer. */
function refusal(reply: FastifyReply) {
  for (const name of ['content-type', 'content-length', 'content-disposition', 'etag', 'location'])
    reply.removeHeader(name);
  return serviceError('runtime_not_ready', {
    message: 'Long answers of this tenant wait for their readers. Retry after the time in Retry-After.',
  });
}

async function spool(answer: string | Buffer): Promise<FileHandle> {
  const path = join(tmpdir(), `${filePrefix}${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    await file.writeFile(answer);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Removes the empty files of processes that were killed between the two steps above. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(filePrefix));
  for (const name of names) {
    const path = join(tmpdir(), name);
    if (Date.now() - (await stat(path)).mtimeMs > abandonedMs) await unlink(path);
  }
}

/** Counts the bytes of unread long answers. The share of a tenant is half of the space that the other tenants leave free. */
class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #bytes = new Map<TenantId, number>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the share of the tenant has room for another answer. */
  hasRoom(tenantId: TenantId, bytes: number): boolean {
    const own = this.#bytes.get(tenantId) ?? 0;
    return own + bytes <= (this.#maxBytes - (this.#total - own)) / 2;
  }

  /** Counts an answer until the returned function is called. */
  add(tenantId: TenantId, bytes: number): () => void {
    this.#change(tenantId, bytes);
    return () => this.#change(tenantId, -bytes);
  }

  #change(tenantId: TenantId, bytes: number): void {
    this.#total += bytes;
    const own = (this.#bytes.get(tenantId) ?? 0) + bytes;
    if (own === 0) this.#bytes.delete(tenantId);
    else this.#bytes.set(tenantId, own);
  }
}
