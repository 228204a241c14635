import { type LongBody, ReadyBody } from '@continuity/shared/kernel';

/** The bytes of all its blocks. */
export function bytesOf(body: LongBody): Buffer {
  if (body instanceof ReadyBody) return Buffer.concat(body.blocks);
  const blocks = body.lengths.map((length, block) => {
    const memory = Buffer.alloc(length);
    body.write(block, memory);
    return memory;
  });
  return Buffer.concat(blocks);
}
