/** A request as it is written to the socket, while it is still being made. */
export interface Draft {
  method: string;
  /** Encoded path segments, the empty one before the first slash aside. */
  segments: string[];
  /** With its `?`, or empty. */
  search: string;
  /** Over the joined segments, for targets that are no path. */
  target: string | undefined;
  headers: [string, string][];
  body: Buffer | undefined;
  /** By how much `Content-Length` is more than the body has. */
  missingBytes: number;
  chunked: boolean;
  /** The caller stops sending before all that it has declared. */
  endsEarly: boolean;
}

/** What the request line asks for. */
export function targetOf({ target, segments, search }: Draft): string {
  return target ?? `/${segments.join('/')}${search}`;
}

/** The bytes of the request. The connection ends with the answer, so that an answer is whole when it closes. */
export function bytesOf(draft: Draft): Buffer {
  const { method, headers, body, chunked } = draft;
  const framing: [string, string][] = chunked
    ? [['Transfer-Encoding', 'chunked']]
    : body === undefined
      ? []
      : [['Content-Length', String(body.length + draft.missingBytes)]];
  const lines = [...headers, ...framing, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from(
    [`${method} ${targetOf(draft)} HTTP/1.1`, ...lines, '', ''].join('\r\n'),
    'latin1',
  );
  if (body === undefined) return head;
  return Buffer.concat([head, chunked ? chunksOf(body) : body]);
}

function chunksOf(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const framed = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']);
  return Buffer.concat([...framed, '0\r\n\r\n'].map((piece) => Buffer.from(piece)));
}
