import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { RawReply } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { startService } from '../support/service.ts';

/** Below the limit of the operation. */
const limit = 200_000;
const service = await startService({ environment: { BODY_LIMIT_BYTES: String(limit) } });
const defaults = await startService();

afterAll(() => Promise.all([service.stop(), defaults.stop()]));

const path = '/v1/memory/remember';

/** A valid body of exactly `bytes` bytes. */
function bodyOf(bytes: number): string {
  return JSON.stringify({ scope_id: 's', kind: 'fact', text: 'x' }).padEnd(bytes, ' ');
}

/** Sends the body in chunks, without Content-Length. */
async function sendChunked(body: string): Promise<RawReply> {
  const outgoing = request(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  const answer = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  for (let start = 0; start < body.length; start += 50_000) outgoing.write(body.slice(start, start + 50_000));
  outgoing.end();
  const [response] = await answer;
  const text = Buffer.concat(await response.toArray()).toString('utf8');
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
  return { status: response.statusCode ?? 0, headers, text, json: JSON.parse(text) };
}

test('a body of the limit is read, one of a byte more is 413', async () => {
  expect((await service.send('POST', path, bodyOf(limit))).status).toBe(200);
  const over = await service.send('POST', path, bodyOf(limit + 1));
  expectError(over, 413, 'body_too_large');
  expect(over.json).toMatchObject({ error: { details: { limit_bytes: limit } } });
});

test.each<[string, string, object, number]>([
  ['remember_memory', path, { scope_id: 's', kind: 'fact', text: 'x' }, 262_144],
  [
    'capture_content_source',
    '/v1/sources/content',
    { scope_id: 's', source_id: 'a', content: 'x' },
    4_194_304,
  ],
])('%s has its own limit, which OpenAPI publishes', async (id, url, body, bytes) => {
  const send = (size: number) => defaults.send('POST', url, JSON.stringify(body).padEnd(size, ' '));
  expect((await send(bytes)).status).toBeLessThan(300);
  const over = await send(bytes + 1);
  expectError(over, 413, 'body_too_large');
  expect(over.json).toMatchObject({ error: { details: { limit_bytes: bytes } } });
  const { json } = await defaults.send('GET', '/openapi.json');
  const { paths } = json as { paths: Record<string, Record<string, Record<string, unknown>>> };
  expect(paths[url]?.['post']).toMatchObject({ operationId: id, 'x-max-body-bytes': bytes });
});

test('a chunked body is measured as it comes', async () => {
  expect((await sendChunked(bodyOf(limit))).status).toBe(200);
  expectError(await sendChunked(bodyOf(limit + 1)), 413, 'body_too_large');
});

test('a body far over the limit is answered too, also while it is still being sent', async () => {
  const huge = bodyOf(limit * 30);
  expectError(await service.send('POST', path, huge), 413, 'body_too_large');
  expectError(await sendChunked(huge), 413, 'body_too_large');
});

test('the size is judged before the shape, and not at all where there is no such route', async () => {
  expectError(await service.send('POST', path, '['.repeat(limit + 1)), 413, 'body_too_large');
  expectError(await service.send('POST', '/v1/nothing', bodyOf(limit + 1)), 404, 'not_found');
  expectError(await service.send('PUT', path, bodyOf(limit + 1)), 405, 'method_not_allowed');
});

test('the connection of a refused body serves the next request', async () => {
  for (let index = 0; index < 5; index += 1) {
    expectError(await service.send('POST', path, bodyOf(limit + 1)), 413, 'body_too_large');
    expectError(await service.send('POST', path, 'no json'), 422, 'invalid_request');
    expect((await service.send('POST', path, bodyOf(100))).status).toBe(200);
  }
});
