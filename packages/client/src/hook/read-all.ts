import type { Readable } from 'node:stream';

/**
 * Reads a stream to its end, or until it is longer than `maxBytes`. By events, because the iterator of a stream and `stream/consumers`
 * take a millisecond to load.
 */
export function readAll(stream: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => resolve(Buffer.concat(chunks));
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) end();
    });
    stream
      .on('end', end)
      .on('error', reject)
      .on('close', () => reject(new Error('The connection ended early.')));
  });
}
