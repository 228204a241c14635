import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { postMcp, refusalOf } from '../support/mcp.ts';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });
const acme = clientOf(service.url, 'acme');

afterAll(() => service.stop());

const asAcme = { authorization: `Bearer ${tokenOf('acme')}` };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test.each(['GET', 'DELETE', 'PUT'])('%s is 405 with the envelope', async (method) => {
  const reply = await acme.send(method, '/mcp');
  expectError(reply, 405, 'method_not_allowed');
  expect(reply.headers.get('allow')).toBe('POST');
});

test('a token is checked before the message', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${tokenOf('operator')}` },
  ]) {
    expectError(await postMcp(service.url, '{', { headers }), 401, 'unauthorized');
  }
});

test.each(['', 'memory,', 'nothing', 'memory,nothing', 'Memory'])('?tools=%s is 422', async (tools) => {
  const reply = await postMcp(service.url, listTools, { tools, headers: asAcme });
  expectError(reply, 422, 'invalid_request');
});

test('a notification is 202 without a body', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const reply = await postMcp(service.url, notification, { headers: asAcme });
  expect(reply).toMatchObject({ status: 202, text: '' });
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28'])(
  'a batch is 400 in %s',
  async (revision) => {
    const headers = { ...asAcme, 'mcp-protocol-version': revision };
    const reply = await postMcp(service.url, [listTools, { ...listTools, id: 2 }], { headers });
    expect(reply).toMatchObject({ status: 400, json: { jsonrpc: '2.0', error: { code: -32600 } } });
  },
);

test.each(['', '{', '\u0000', '[[', 'null', '"x"'])('a body %j that is no message is 400', async (body) => {
  const reply = await postMcp(service.url, body, { headers: asAcme });
  expect(reply).toMatchObject({ status: 400, json: { jsonrpc: '2.0', error: { code: expect.any(Number) } } });
});

test('a number outside the IEEE double range is refused, not read as null', async () => {
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"continue_handoff",
    "arguments":{"scope_id":"s","selection":"latest","revision":1e400}}}`;
  const { json } = await postMcp(service.url, call, { headers: asAcme });
  expect(refusalOf((json as { result: unknown }).result)).toMatchObject({
    code: 'invalid_request',
    details: { issues: [{ path: 'revision', message: 'is a number outside the IEEE double range' }] },
  });
});

test('a message without the arguments of its tool has at most 64 KiB', async () => {
  const call = (name: string, args: object, _meta: object) =>
    postMcp(
      service.url,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
      { headers: asAcme },
    );
  const long = { padding: 'x'.repeat(65_000) };
  const search = { scope_id: 'none', query: 'deploy' };
  const found = await call('search_memory', search, long);
  expect(found).toMatchObject({ status: 200, json: { result: { structuredContent: { hits: [] } } } });
  const tooLong = await call('search_memory', search, { ...long, more: 'x'.repeat(1_000) });
  expect(tooLong).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
  const unknown = await call('delete_everything', { ...long, ...long }, {});
  expect(unknown).toMatchObject({ json: { error: { code: -32602 } } });
});

test('an answer has no session and is plain JSON', async () => {
  const reply = await postMcp(service.url, listTools, { headers: asAcme });
  expect(reply).toMatchObject({
    status: 200,
    json: { jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } },
  });
  expect(reply.headers.get('mcp-session-id')).toBeNull();
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
});

test.each(['gzip', 'identity', 'br, gzip'])('Content-Encoding: %s is 415', async (encoding) => {
  const headers = { ...asAcme, 'content-encoding': encoding };
  expectError(await postMcp(service.url, listTools, { headers }), 415, 'unsupported_media_type');
});

test('a subscription is refused at once', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { _meta, notifications: { toolsListChanged: true } };
  const headers = { ...asAcme, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
  expect(await postMcp(service.url, listen, { headers })).toMatchObject({
    json: { error: { code: -32603 } },
  });
});
