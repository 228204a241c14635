import { gzipSync } from 'node:zlib';
import type { Draft } from './draft.ts';

/** A change of a request that no correct client makes. */
export interface Trick {
  name: string;
  apply(draft: Draft): void;
  /** The service may close the connection without an answer. */
  mayStaySilent?: boolean;
}

const header = (name: string, value: string): Trick => ({
  name: `${name}: ${value.slice(0, 40)}`,
  apply: ({ headers }) => headers.push([name, value]),
});

const media = (value: string | undefined): Trick => ({
  name: `media type ${value ?? 'left out'}`,
  apply: (draft) => {
    draft.headers = draft.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    if (value !== undefined) draft.headers.push(['Content-Type', value]);
  },
});

const segment = (name: string, change: (segment: string) => string): Trick => ({
  name: `last segment ${name}`,
  apply: ({ segments }) => segments.push(change(segments.pop() ?? '')),
});

const target = (name: string, change: (target: string) => string): Trick => ({
  name: `target ${name}`,
  apply: (draft) => {
    draft.target = change(`/${draft.segments.join('/')}${draft.search}`);
  },
});

const body = (name: string, change: (bytes: Buffer) => Buffer): Trick => ({
  name: `body ${name}`,
  apply: (draft) => {
    if (draft.body !== undefined) draft.body = change(draft.body);
  },
});

const method = (name: string): Trick => ({
  name: `method ${name}`,
  apply: (draft) => {
    draft.method = name;
  },
});

const insert = (bytes: number[]) => (given: Buffer) => {
  const at = Math.floor(given.length / 2);
  return Buffer.concat([given.subarray(0, at), Buffer.from(bytes), given.subarray(at)]);
};

const percent = (text: string) =>
  [...Buffer.from(decoded(text))].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Decodes a segment; returns it unchanged if another trick made it invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Changes of the method, target, headers and body bytes of a valid request. */
export const tricks: Trick[] = [
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'POST'].map(method),
  media(undefined),
  ...[
    'text/plain',
    'application/jsonp',
    'application/json; charset=utf-16',
    'APPLICATION/JSON;',
    'multipart/form-data',
  ].map(media),
  ...['application/merge-patch+json', 'application/json, text/html', ';', 'application/json;charset="x'].map(
    media,
  ),
  header('Content-Type', 'text/html'),
  ...[
    'respond-async',
    'RESPOND-ASYNC , wait=1',
    'wait=0',
    'respond-async; x="',
    ',,,',
    'respond-async=1',
  ].map((value) => header('Prefer', value)),
  header('Accept', 'text/html;q=1, */*;q=0'),
  header('Accept-Encoding', 'gzip, br'),
  header('Content-Encoding', 'gzip'),
  header('Idempotency-Key', ''),
  header('Idempotency-Key', 'a b'),
  header('Idempotency-Key', '\u00e9'),
  header('Idempotency-Key', 'k'.repeat(257)),
  header('Idempotency-Key', 'constructor'),
  header('Authorization', 'Bearer'),
  header('Authorization', 'Basic eDp5'),
  header('If-Match', '*'),
  header('X-HTTP-Method-Override', 'DELETE'),
  header('X-Forwarded-For', "'; DROP TABLE scopes; --"),
  header('X-Service-Request-ID', 'mine'),
  header('traceparent', '00-00000000000000000000000000000000-0000000000000000-01'),
  header('traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  header('tracestate', 'x='.repeat(300)),
  header('baggage', 'a=b;'.repeat(200)),
  header('__proto__', 'x'),
  header('Expect', '100-continue'),
  header('Expect', 'nothing'),
  header('Upgrade', 'websocket'),
  header('Range', 'bytes=0-1'),
  header('Cookie', 'a=b; '.repeat(500)),
  header('X-Long', 'x'.repeat(20_000)),
  header('X-Odd', 'tab\there \u0080\u00ff'),
  header('X-Control', 'a\u0001b'),
  header('Bad Name', 'x'),
  header('Content-Length', '3'),
  header('Host', 'other.example'),
  {
    name: 'no Host',
    apply: (draft) => draft.headers.splice(0, draft.headers.length, ...draft.headers.slice(1)),
  },
  {
    name: 'no token',
    apply: (draft) => {
      draft.headers = draft.headers.filter(([name]) => name !== 'Authorization');
    },
  },
  {
    name: 'token in the query',
    apply: (draft) => {
      const [, token = ''] = draft.headers.find(([name]) => name === 'Authorization') ?? [];
      draft.headers = draft.headers.filter(([name]) => name !== 'Authorization');
      draft.search = `?access_token=${encodeURIComponent(token)}`;
    },
  },
  ...['', 'x', '%', '%zz', '%c3%28', '%ed%a0%80', '%c0%80', '%00', '%2e%2e', '..', '.', '%F0%9F%98%80'].map(
    (value) => segment(`is ${value}`, () => value),
  ),
  segment('has every byte escaped', percent),
  segment('is escaped twice', (text) => encodeURIComponent(text)),
  segment('is in upper case', (text) => text.toUpperCase()),
  segment('ends in a dot', (text) => `${text}.`),
  segment('has parameters', (text) => `${text};v=1`),
  segment('is too long', () => 'a'.repeat(5_200)),
  segment('has a long escape', () => '%F0%9F%98%80'.repeat(257)),
  segment('has a raw byte', (text) => `${text}\u00e9`),
  target('ends in a slash', (text) => `${text}/`),
  target('begins with two slashes', (text) => `/${text}`),
  target('has an empty segment', (text) => text.replace(/\/(?=[^/]*$)/, '//')),
  target('has a dot segment', (text) => text.replace(/\/(?=[^/]*$)/, '/./')),
  target('goes up', (text) => `/x/..${text}`),
  target('is absolute', (text) => `http://other.example${text}`),
  target('has a fragment', (text) => `${text}#x`),
  target('has an odd query', (text) => `${text}?a[b]=1&a&=&%zz=%&limit=1&limit=2&__proto__=1&cursor=%00`),
  target('has a long query', (text) => `${text}?${'a=b&'.repeat(2_000)}`),
  target('is a star', () => '*'),
  target('is empty', () => ''),
  target('has a space', (text) => `${text} x`),
  target('is backwards', (text) => text.replaceAll('/', '\\')),
  body('is empty', () => Buffer.alloc(0)),
  body('is white space', () => Buffer.from(' \n')),
  ...[
    'null',
    '[]',
    '""',
    '0',
    '{}',
    '{',
    '{"scope_id"',
    'undefined',
    '{} {}',
    '[1,2',
    '{"a":1,}',
    '"\\x"',
  ].map((text) => body(`is ${text}`, () => Buffer.from(text))),
  body('has a byte order mark', (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
  body('is UTF-16', (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le')),
  body('is compressed', (bytes) => gzipSync(bytes)),
  body('has an invalid byte', insert([0xff])),
  body('has an overlong NUL', insert([0xc0, 0x80])),
  body('has an encoded surrogate', insert([0xed, 0xa0, 0x80])),
  body('has a cut character', insert([0xf0, 0x9f])),
  body('has a raw NUL', insert([0])),
  body('has a raw line break', insert([0x0a])),
  body('is cut', (bytes) => bytes.subarray(0, -1)),
  body('goes on', (bytes) => Buffer.concat([bytes, Buffer.from('}')])),
  body('is ten times itself', (bytes) => Buffer.concat(Array<Buffer>(10).fill(bytes))),
  ...[262_144, 262_145, 4_194_304, 4_194_305, 8_388_608, 8_388_609].map((size) =>
    body(`is padded to ${size} bytes`, (bytes) => Buffer.from(bytes.toString('utf8').padEnd(size))),
  ),
  ...[20_000, 20_001, 100_001, 1_000_001].map((count) =>
    body(`has ${count} values`, () => Buffer.from(`[${'1,'.repeat(count - 2)}1]`)),
  ),
  body('has 25,000 unknown fields', () => {
    const fields = Array.from({ length: 25_000 }, (_, index) => `"${index.toString(36)}":1`);
    return Buffer.from(`{${fields.join(',')}}`);
  }),
  ...[64, 65, 1_000_000].map((levels) =>
    body(`has ${levels} levels`, () => Buffer.from('['.repeat(levels) + ']'.repeat(levels))),
  ),
  {
    name: 'a body where none belongs',
    apply: (draft) => {
      draft.body ??= Buffer.from('{"a":1}');
      if (!draft.headers.some(([name]) => name === 'Content-Type'))
        draft.headers.push(['Content-Type', 'application/json']);
    },
  },
  {
    name: 'chunks',
    apply: (draft) => {
      draft.chunked = draft.body !== undefined;
    },
  },
  {
    name: 'a length beyond the limit',
    apply: (draft) => {
      draft.missingBytes = 8_388_609;
    },
  },
  {
    name: 'a body that never ends',
    mayStaySilent: true,
    apply: (draft) => {
      draft.missingBytes = 1;
      draft.endsEarly = true;
    },
  },
  {
    name: 'a length that is too small',
    mayStaySilent: true,
    apply: (draft) => {
      draft.missingBytes = (draft.body?.length ?? 0) > 0 ? -1 : 0;
    },
  },
];
