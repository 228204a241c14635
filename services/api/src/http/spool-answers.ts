import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from '@continuity/shared/kernel';
import type { FastifyInstance } from 'fastify';

/** Longer answers are spooled. So the 32 requests of a connection hold 8 MiB of memory at most for a caller who does not read. */
const maxInMemory = 256 * 1024;

/**
 * Sends long answers from temporary files instead of memory, so that a gateway does not grow with the number of callers who read
 * slowly or not at all. The files have no name. If no file can be written, the answer stays in memory.
 */
export function spoolAnswers(app: FastifyInstance, logger: Logger): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
    if (bytes <= maxInMemory || request.method === 'HEAD') return payload;
    const file = await spool(payload as string | Buffer).catch((error: unknown) =>
      logger.warn({ err: error }, 'a long answer stays in memory, because it cannot be written to a file'),
    );
    if (file === undefined) return payload;
    reply.header('Content-Length', bytes);
    return read(file);
  });
}

async function spool(answer: string | Buffer): Promise<FileHandle> {
  const path = join(tmpdir(), `continuity-answer-${randomUUID()}`);
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

/** Closes the file at the end, or when the caller hangs up. */
function read(file: FileHandle): Readable {
  return file.createReadStream({ start: 0 });
}
