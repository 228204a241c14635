import { connect } from 'node:net';

/** An answer, parsed from its bytes. */
export interface RawHttpReply {
  status: number;
  /** By lower-case name. */
  headers: Map<string, string>;
  text: string;
  json: unknown;
}

/** Sends a request with `Host` and `Connection: close`; the request line and header lines are sent unchanged. */
export function rawRequest(
  url: string,
  requestLine: string,
  headers: string[] = [],
  body = '',
): Promise<RawHttpReply> {
  const head = [requestLine, `Host: ${new URL(url).host}`, 'Connection: close', ...headers];
  return rawExchange(url, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Sends bytes and reads until the server closes the connection. Throws if the connection ends without an answer, so a
 * reset connection fails the test.
 */
export async function rawExchange(url: string, bytes: string | Uint8Array): Promise<RawHttpReply> {
  const { hostname, port } = new URL(url);
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.setTimeout(20_000, () =>
    socket.destroy(new Error('The server neither answered nor closed the connection.')),
  );
  socket
    .on('data', (chunk) => chunks.push(chunk))
    .once('end', resolve)
    .once('error', reject);
  try {
    await promise;
  } finally {
    socket.destroy();
  }
  return readReply(Buffer.concat(chunks).toString('utf8'));
}

/** Parses one complete answer. */
export function readReply(answer: string): RawHttpReply {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined)
    throw new Error(`This is not an HTTP answer: ${JSON.stringify(answer.slice(0, 200))}`);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const text = rest.join('\r\n\r\n');
  return { status: Number(status), headers, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
