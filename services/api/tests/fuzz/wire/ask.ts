import { exchange, type WireAnswer } from './exchange.ts';

/**
 * Sends a request to an exact target. HTTP clients resolve a segment `..`, escaped or not, but here it can be an id.
 */
export async function ask(
  url: string,
  method: string,
  segments: string[],
  { token, body }: { token?: string | undefined; body?: unknown } = {},
): Promise<WireAnswer> {
  const target = `/${segments.map(encodeURIComponent).join('/')}`;
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    'Host: localhost',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
    'Connection: close',
  ];
  const bytes = Buffer.from([`${method} ${target} HTTP/1.1`, ...headers, '', text].join('\r\n'));
  const answer = await exchange(url, bytes, false);
  if (answer === undefined) throw new Error(`${method} ${target} was not answered.`);
  return answer;
}
