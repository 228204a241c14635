import {
  type Client,
  ConnectionError,
  createClient,
  etagOf,
  InvalidRequestError,
  ServiceError,
  UnexpectedAnswerError,
} from '@continuity/client';
import { afterEach, expect, test } from 'vitest';
import { refusal, type Step, startScripted } from './scripted-server.ts';

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function scripted(...steps: Step[]) {
  const server = await startScripted(steps);
  stops.push(server.stop);
  return { ...server, client: createClient({ baseUrl: server.url, token: 't' }) };
}

const ok: Step = { status: 200, body: { hits: [] } };
const search = (client: Client) => client.searchMemory({ scope_id: 's', query: 'q' });

test('path parameters, query and body are taken from one object', async () => {
  const { client, received } = await scripted({ status: 200, body: {} });
  await client.getSource({ scope_id: 'a/b', source_type: 'content', source_id: 'ü' });
  await client.listScopes({ limit: '5' });
  await client.createSource({ scope_id: 's', content: { a: 1 } }, { idempotencyKey: 'k' });
  expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/v1/scopes/a%2Fb/sources/content/%C3%BC', ''],
    ['GET', '/v1/scopes?limit=5', ''],
    ['POST', '/v1/scopes/s/sources', '{"content":{"a":1}}'],
  ]);
  expect(received[2]?.headers).toMatchObject({ 'idempotency-key': 'k', authorization: 'Bearer t' });
});

test.each(['', '.', '..', '\ud800'])('the id %j, which no URL carries, is refused', async (scope_id) => {
  const { client, received } = await scripted(ok);
  await expect(client.getScope({ scope_id })).rejects.toThrow(InvalidRequestError);
  expect(received).toEqual([]);
});

test('a base URL keeps its path', async () => {
  const { url, received } = await scripted(ok);
  await search(createClient({ baseUrl: `${url}/proxied/` }));
  expect(received[0]).toMatchObject({ url: '/proxied/v1/memory/search' });
  expect(received[0]?.headers.authorization).toBeUndefined();
});

test('a refusal is a ServiceError with typed details', async () => {
  const { client, received } = await scripted(
    refusal(422, 'invalid_request', { issues: [{ path: 'query', message: 'is blank' }] }),
  );
  const error = await search(client).catch((failure: unknown) => failure);
  if (!(error instanceof ServiceError) || !error.is('invalid_request')) throw error;
  expect(error).toMatchObject({ status: 422, requestId: 'request-1', message: 'invalid_request.' });
  expect(error.details.issues[0]?.path).toBe('query');
  expect(received).toHaveLength(1);
});

test('a call that is safe to repeat survives a cut and a 503', async () => {
  const { client, received } = await scripted({ cut: true }, refusal(503, 'database_unavailable', {}, 0), ok);
  expect(await search(client)).toEqual({ hits: [] });
  expect(received).toHaveLength(3);
});

test('a call that is not safe to repeat is sent once', async () => {
  const approve = (client: Client) =>
    client.approveArtifactCandidate({ scope_id: 's', candidate_id: 'c', expected_version: 1 });
  const cut = await scripted({ cut: true });
  await expect(approve(cut.client)).rejects.toThrow(ConnectionError);
  expect(cut.received).toHaveLength(1);
  const unavailable = await scripted(refusal(503, 'database_unavailable'));
  await expect(approve(unavailable.client)).rejects.toMatchObject({ code: 'database_unavailable' });
  expect(unavailable.received).toHaveLength(1);
  const refused = await scripted(refusal(429, 'rate_limited', {}, 0), ok);
  await approve(refused.client);
  expect(refused.received).toHaveLength(2);
});

test('a create repeats with one generated key', async () => {
  const { client, received } = await scripted({ cut: true }, { status: 201, body: {} });
  await client.createSource({ scope_id: 's', content: 1 });
  await client.createSource({ scope_id: 's', content: 1 });
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('attempts end with the last failure', async () => {
  const { url, received } = await scripted(refusal(503, 'runtime_not_ready', {}, 0));
  const client = createClient({ baseUrl: url, maxAttempts: 2 });
  await expect(search(client)).rejects.toMatchObject({ code: 'runtime_not_ready' });
  expect(received).toHaveLength(2);
});

test('a Retry-After of over a minute is thrown', async () => {
  const { client, received } = await scripted(refusal(429, 'rate_limited', {}, 61), ok);
  await expect(search(client)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 61 });
  expect(received).toHaveLength(1);
});

test('a Retry-After is waited for', async () => {
  const { client } = await scripted(refusal(429, 'rate_limited', {}, 1), ok);
  const begun = performance.now();
  await search(client);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
});

test('the page of a proxy is an UnexpectedAnswerError', async () => {
  const broken = await scripted({ status: 404, text: '<html>' });
  await expect(search(broken.client)).rejects.toThrow(UnexpectedAnswerError);
  const passing = await scripted({ status: 502, text: '<html>' }, ok);
  expect(await search(passing.client)).toEqual({ hits: [] });
  const odd = await scripted({ status: 200, text: '<html>' });
  await expect(search(odd.client)).rejects.toMatchObject({ status: 200 });
});

test.each([
  ['a page', { status: 200, text: '<html>', headers: { 'content-type': 'text/html' } }],
  ['other JSON', { status: 200, text: '{"status":"ok"}' }],
  ['an error in the same form', { status: 404, text: '{"error":{"code":"none","message":"None."}}' }],
])('another service that answers with %s is an UnexpectedAnswerError', async (_name, step) => {
  const { client, url } = await scripted(step);
  const refused = { name: 'UnexpectedAnswerError', status: step.status, origin: url };
  await expect(search(client)).rejects.toMatchObject(refused);
  await expect(client.each.listMemoryEntries({ scope_id: 's' }).next()).rejects.toMatchObject(refused);
});

test('an answer whose headers a browser hides from another origin is accepted', async () => {
  const hidden = Object.defineProperty(Response.json({ hits: [] }), 'type', { value: 'cors' });
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', fetch: async () => hidden });
  expect(await search(client)).toEqual({ hits: [] });
});

test('a page without items is an UnexpectedAnswerError', async () => {
  const { client } = await scripted({ status: 200, body: null });
  const page = client.each.listMemoryEntries({ scope_id: 's' }).next();
  await expect(page).rejects.toThrow(UnexpectedAnswerError);
});

test('a ConnectionError names the origin without credentials, and the code of its cause', async () => {
  const { url, stop } = await startScripted([]);
  await stop();
  const closed = search(createClient({ baseUrl: `${url}/base`, maxAttempts: 1 }));
  await expect(closed).rejects.toThrow(`${url} did not answer (ECONNREFUSED).`);
  const baseUrl = url.replace('//', '//user:secret@');
  const failure = await search(createClient({ baseUrl, maxAttempts: 1 })).catch(({ message }) => message);
  expect(failure).toBe(`${url} did not answer.`);
});

test('a body nested too deeply for JSON is refused', async () => {
  const { client, received } = await scripted(ok);
  const content = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  await expect(client.createSource({ scope_id: 's', content })).rejects.toThrow('nested too deeply');
  expect(received).toEqual([]);
});

test('a time limit and a signal end a call, also while it waits to repeat', async () => {
  const { client } = await scripted({ hang: true });
  const limited = client.searchMemory({ scope_id: 's', query: 'q' }, { timeoutMs: 50 });
  await expect(limited).rejects.toMatchObject({ name: 'TimeoutError' });
  const waiting = await scripted(refusal(503, 'runtime_not_ready', {}, 30));
  const stop = new AbortController();
  const call = waiting.client.searchMemory({ scope_id: 's', query: 'q' }, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
});

test('trace context and a changing token are sent with each attempt', async () => {
  const { url, received } = await scripted({ cut: true }, ok);
  const tokens = ['token-1', 'token-2'];
  const client = createClient({
    baseUrl: url,
    token: async () => tokens.shift() ?? '',
    headers: () => ({ traceparent: '00-a-b-01' }),
  });
  await search(client);
  expect(received.map(({ headers }) => [headers.authorization, headers['traceparent']])).toEqual([
    ['Bearer token-1', '00-a-b-01'],
    ['Bearer token-2', '00-a-b-01'],
  ]);
});

test('If-Match takes a tag or an answer that had one', async () => {
  const { client, received } = await scripted({ status: 200, body: { a: 1 }, headers: { etag: '"1-a"' } });
  const path = { scope_id: 's', family: 'experience', artifact_id: 'a' } as const;
  const artifact = await client.getArtifact(path);
  expect(etagOf(artifact)).toBe('"1-a"');
  const change = { ...path, content: {} } as never;
  await client.replaceArtifact(change, { ifMatch: artifact });
  await client.replaceArtifact(change, { ifMatch: '"2-b"' });
  expect(received.slice(1).map(({ headers }) => headers['if-match'])).toEqual(['"1-a"', '"2-b"']);
  await expect(client.replaceArtifact(change, { ifMatch: {} })).rejects.toThrow(TypeError);
});

test('an iterator yields the items of all pages', async () => {
  const { client, received } = await scripted(
    { status: 200, body: { memory: null, entries: [{ n: 1 }, { n: 2 }], next_cursor: 'c' } },
    { status: 200, body: { memory: null, entries: [{ n: 3 }], next_cursor: null } },
  );
  const items: unknown[] = [];
  for await (const entry of client.each.listMemoryEntries({ scope_id: 's', limit: 2 })) items.push(entry);
  expect(items).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(JSON.parse(received[1]?.body ?? '')).toEqual({ scope_id: 's', limit: 2, cursor: 'c' });
});

test('a job that outlasts the gateway is waited for', async () => {
  const { client, received } = await scripted(
    refusal(503, 'job_timeout', { job_id: 'j1' }, 1),
    { status: 200, body: { job_id: 'j1', status: 'running', result: null, error: null } },
    { status: 200, body: { job_id: 'j1', status: 'succeeded', result: { status: 'idle' }, error: null } },
  );
  expect(await client.flushMemory({ scope_id: 's' })).toEqual({ status: 'idle' });
  expect(received.map(({ url }) => url)).toEqual(['/v1/memory/flush', '/v1/jobs/j1', '/v1/jobs/j1']);
});

test('a job that failed throws the error of its operation', async () => {
  const { client } = await scripted(
    { status: 202, body: { job_id: 'j1', status: 'queued', status_url: '/v1/jobs/j1' } },
    {
      status: 200,
      body: {
        job_id: 'j1',
        status: 'failed',
        result: null,
        error: { code: 'inference_unavailable', message: 'Down.', details: {} },
      },
    },
  );
  const { job_id } = await client.enqueue.flushMemory({ scope_id: 's' });
  await expect(client.waitForJob(job_id)).rejects.toMatchObject({
    code: 'inference_unavailable',
    status: 503,
  });
});
