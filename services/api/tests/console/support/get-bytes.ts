import { type IncomingHttpHeaders, request } from 'node:http';

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** As sent, not decoded. */
  bytes: Buffer;
}

/** Sends a GET with any headers, `Host` included, and returns the encoded bytes of the answer. */
export function getBytes(url: string, path: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.once('error', reject);
    sent.end();
  });
}
