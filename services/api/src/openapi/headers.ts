import type { Header, Reference } from './types.ts';

type Headers = Record<string, Header | Reference>;

/** Shared response headers. */
export const sharedHeaders = {
  'X-Service-Request-ID': {
    description: 'Id of the request in logs and traces. Name it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path takes.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'Retry-After': {
    description: 'Seconds after which you can retry.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
  'RateLimit-Limit': {
    description:
      'Requests that the tenant may send in a minute. On every answer, if the operator limits them.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '600',
  },
  'RateLimit-Remaining': {
    description: 'Remaining requests until the count restarts.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '0',
  },
  'RateLimit-Reset': {
    description: 'Seconds until the count restarts.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '12',
  },
} as const satisfies Record<string, Header>;

type SharedHeader = keyof typeof sharedHeaders;

/** Headers of an error status besides the request id (spec 00 §3). */
const headersOfStatus: Record<number, SharedHeader[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
};

/** Headers of an error answer. */
export function errorHeaders(status: number): Headers {
  return references(['X-Service-Request-ID', ...(headersOfStatus[status] ?? [])]);
}

/** Headers of a success answer: the shared and the declared ones. */
export function successHeaders(declared: Record<string, string> = {}): Headers {
  const own = Object.entries(declared).map(([name, description]): [string, Header] => [
    name,
    { description, required: true, schema: { type: 'string' } },
  ]);
  return { ...references(['X-Service-Request-ID']), ...Object.fromEntries(own) };
}

function references(names: SharedHeader[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
