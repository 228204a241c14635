/** A request under construction, as it will be written to the socket. */
export interface Draft {
  method: string;
  /** Encoded path segments, without the empty one before the first slash. */
  segments: string[];
  /** With its `?`, or empty. */
  search: string;
  /** Replaces the path and query, for targets that are not a path. */
  target: string | undefined;
  headers: [string, string][];
  body: Buffer | undefined;
  /** Bytes by which `Content-Length` exceeds the body. */
  missingBytes: number;
  chunked: boolean;
  /** The caller closes its side before it has sent the declared length. */
  endsEarly: boolean;
}

/** The target of the request line. */
export function targetOf({ target, segments, search }: Draft): string {
  return target ?? `/${segments.join('/')}${search}`;
}

/** The bytes of the request. It asks for `Connection: close`, so the end of the connection is the end of the answer. */
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
