import type { Readable } from 'node:stream';
import { type LongBody, leastBlockBytes, ReadyBody, WrittenBody } from '@continuity/shared/kernel';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendLongBody } from '../../src/http/send-long-body.ts';

/** A body whose blocks are filled with letters, one each. */
class Letters extends WrittenBody {
  readonly lengths: readonly number[];

  constructor(...lengths: number[]) {
    super();
    this.lengths = lengths;
  }

  get length(): number {
    return this.lengths.reduce((sum, length) => sum + length, 0);
  }

  write(block: number, memory: Buffer): void {
    memory.fill(letterOf(block), 0, this.lengths[block]);
  }
}

const letterOf = (block: number) => String.fromCharCode(97 + block);

async function sendBody(long: LongBody) {
  const app = fastify();
  app.get('/', (_request, reply) => sendLongBody(reply, long));
  return await app.inject('/');
}

const send = (...lengths: number[]) => sendBody(new Letters(...lengths));

test.each([
  ['no block', []],
  ['one short block', [3]],
  ['blocks of the least size', Array.from({ length: 9 }, () => leastBlockBytes)],
  ['a short block at the end', [leastBlockBytes, leastBlockBytes + 7, 5]],
])('a body of %s is sent whole, with its length', async (_what, lengths) => {
  const { body, headers, statusCode } = await send(...lengths);
  expect(statusCode).toBe(200);
  expect(body === lengths.map((length, block) => letterOf(block).repeat(length)).join('')).toBe(true);
  expect(headers['content-length']).toBe(String(body.length));
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a body with a short block before its last one is refused before anything is sent', async () => {
  const { statusCode, body } = await send(leastBlockBytes, leastBlockBytes - 1, 5);
  expect(statusCode).toBe(500);
  expect(body).toContain('Only the last block');
});

test('a body that is there already is told to whoever reads it, also where that is no socket', async () => {
  const blocks = [3, leastBlockBytes * 20, 0, 1].map((length, block) =>
    Buffer.alloc(length, letterOf(block)),
  );
  const app = fastify();
  app.addHook('onSend', async (_request, _reply, payload) =>
    Buffer.concat(await (payload as Readable).toArray()),
  );
  app.get('/', (_request, reply) => sendLongBody(reply, new ReadyBody(blocks)));
  expect((await app.inject('/')).body === String(Buffer.concat(blocks))).toBe(true);
});

test.each([
  ['no block', []],
  ['blocks of any size', [3, leastBlockBytes * 20, 1, leastBlockBytes]],
])('a body with %s that is there already is sent whole, with its length', async (_what, lengths) => {
  const blocks = lengths.map((length, block) => Buffer.alloc(length, letterOf(block)));
  const { body, headers, statusCode } = await sendBody(new ReadyBody(blocks));
  expect(statusCode).toBe(200);
  expect(body === String(Buffer.concat(blocks))).toBe(true);
  expect(headers['content-length']).toBe(String(body.length));
});
