import { type IncomingMessage, request } from 'node:http';

/** An answer whose body is text. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** The connection failed before an answer began. */
export class NoAnswerError extends Error {}

/**
 * Sends a request over a connection that is kept alive, and reads the answer. Follows no redirect. Uses `node:http`, because
 * it needs less than half of the processor time of `fetch`.
 */
export function sendRequest(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<HttpAnswer> {
  // Node sets no length for the body of a DELETE.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...length } }, (incoming) => {
      // From here on, an error is not a missing answer.
      sent.removeAllListeners('error').on('error', reject);
      let text = '';
      incoming
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .once('end', () => resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming), text }))
        .once('error', reject);
    });
    sent.once('error', (error) => reject(new NoAnswerError(`no answer: ${error.message}`, { cause: error })));
    sent.end(body);
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}
