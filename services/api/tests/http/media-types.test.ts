import { afterAll, expect, test } from 'vitest';
import { expectError, withLength } from '../support/envelope.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

const line = 'POST /v1/memory/remember HTTP/1.1';
const body = JSON.stringify({ scope_id: 's', kind: 'fact', text: 'x' });

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json; charset=us-ascii',
  'Application/JSON',
  'application/json; profile="x;y"',
])('%s is read', async (mediaType) => {
  expect((await rawRequest(service.url, line, withLength(body, mediaType), body)).status).toBe(200);
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json-patch+json',
  'application/vnd.api+json',
  'text/json',
  '*/*',
  'json',
  ';',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
])('%s is 415', async (mediaType) => {
  const reply = await rawRequest(service.url, line, withLength(body, mediaType), body);
  expectError(reply, 415, 'unsupported_media_type');
});

test('a body without a media type is 415, no body at all is 422', async () => {
  const length = `Content-Length: ${body.length}`;
  expectError(await rawRequest(service.url, line, [length], body), 415, 'unsupported_media_type');
  expectError(await rawRequest(service.url, line, ['Content-Length: 0']), 422, 'invalid_request');
  expectError(await rawRequest(service.url, line, []), 422, 'invalid_request');
});

test.each(['gzip', 'br', 'identity'])('Content-Encoding %s is 415', async (encoding) => {
  const headers = [...withLength(body), `Content-Encoding: ${encoding}`];
  expectError(await rawRequest(service.url, line, headers, body), 415, 'unsupported_media_type');
});

test('an unknown route is 404, and a wrong method 405, whatever the body is', async () => {
  const headers = withLength('not json', 'text/plain');
  const unknown = await rawRequest(service.url, 'POST /v1/nothing HTTP/1.1', headers, 'not json');
  expectError(unknown, 404, 'not_found');
  const wrong = await rawRequest(service.url, 'DELETE /v1/memory/remember HTTP/1.1', headers, 'not json');
  expectError(wrong, 405, 'method_not_allowed');
});

test('answers are JSON in UTF-8', async () => {
  const reply = await service.send('POST', '/v1/memory/remember', {
    scope_id: 's',
    kind: 'fact',
    text: '團',
  });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
});
