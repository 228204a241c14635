import { Readable } from 'node:stream';
import { type LongBody, leastBlockBytes, ReadyBody } from '@continuity/shared/kernel';
import type { FastifyReply } from 'fastify';

/** Sends a body, while the rest of it is still to be put together where it is not there already. */
export function sendLongBody(reply: FastifyReply, body: LongBody): FastifyReply {
  reply.headers({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(body.length) });
  if (body instanceof ReadyBody) return reply.send(new ReadyBlocks(body));
  return reply.send(body.lengths.length > 1 ? streamOf(body) : wholeOf(body));
}

/** A stream would cost more than the block. */
function wholeOf(body: LongBody): Buffer {
  const whole = Buffer.allocUnsafe(body.length);
  if (body.length > 0) body.write(0, whole);
  return whole;
}

/**
 * For a pipe to a socket, which gets all blocks at once: waiting for each to be gone takes a fifth of the time of a long answer.
 * They are there anyway, and take no memory on their way, however slowly they are read.
 */
class ReadyBlocks extends Readable {
  readonly #blocks: readonly Buffer[];

  constructor({ blocks }: ReadyBody) {
    super();
    this.#blocks = blocks;
  }

  override _read(): void {
    this.push(null);
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    for (const block of this.#blocks) target.write(block);
    target.end();
    this.resume();
    return target;
  }
}

/**
 * For a pipe, and nothing that keeps what it has read: a block is put together in the memory of the one before the last. That has
 * gone by then: a block is more than a socket takes without asking to wait until it has gone, and than a stream reads ahead. So
 * ten megabytes take half of one, which stays in the cache of the processor.
 */
function streamOf(body: LongBody): Readable {
  const { lengths } = body;
  if (lengths.slice(0, -1).some((length) => length < leastBlockBytes)) {
    throw new Error(`Only the last block of a body may have less than ${leastBlockBytes} bytes.`);
  }
  const most = Math.max(...lengths);
  const memory = [Buffer.allocUnsafe(most), Buffer.allocUnsafe(most)];
  let next = 0;
  return new Readable({
    read() {
      const [length, room] = [lengths[next], memory[next % memory.length]];
      if (length === undefined || room === undefined) {
        this.push(null);
        return;
      }
      body.write(next, room);
      next += 1;
      this.push(room.subarray(0, length));
    },
  });
}
